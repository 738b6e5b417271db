/** A free port for a program that needs a port number before it starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to outgoing connections and to servers on port 0 (from 32768 on Linux, from 49152
 * elsewhere). Another process would soon get one of those.
 */
const FIRST = 12_000;
const END = 32_000;
const MAX_TRIES = 100;

/** Returns a loopback port that is unused at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error(`No free port was found in ${MAX_TRIES} attempts.`);
}

/** @throws Error for any failure but a port that is in use or reserved. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') {
        resolve(false);
      } else {
        reject(error);
      }
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
