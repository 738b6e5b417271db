/** The built product from a copy of its files, which a test may change, on a server of its own, which a test may stop. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@wirebench/server';
import { webDist } from '../../scripts/build/web.ts';

export interface ServedCopy extends AsyncDisposable {
  /** Its origin. */
  readonly address: string;
  /** Folder of the web app's files. */
  readonly webRoot: string;
  /** From now on nothing answers any more. */
  stop(): Promise<void>;
}

export async function serveCopy(): Promise<ServedCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-copy-'));
  const webRoot = join(folder, 'web');
  await cp(webDist, webRoot, { recursive: true, dereference: true });
  // The service worker in one form only: changing it changes what is sent.
  await Promise.all(['br', 'gz'].map((ending) => rm(join(webRoot, `sw.js.${ending}`), { force: true })));
  const server = await startServer(
    { PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' },
    { webRoot },
  );
  let running = true;
  const stop = async () => {
    if (running) {
      running = false;
      await server.close();
    }
  };
  return {
    address: server.address,
    webRoot,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
