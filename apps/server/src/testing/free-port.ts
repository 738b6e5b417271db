/** A free port for a program that needs a port number before it starts. */
import { type AddressInfo, createServer } from 'node:net';

/** Returns a loopback port that is unused at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
