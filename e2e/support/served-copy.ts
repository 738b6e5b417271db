/** The built product from a copy of its files, which a test may change, on a server of its own, whose network a test may cut. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@wirebench/server';
import { cuttableWire } from '@wirebench/server/testing/cuttable-wire.ts';
import { freePort } from '@wirebench/server/testing/free-port.ts';
import { webDist } from '../../scripts/build/web.ts';

export interface ServedCopy extends AsyncDisposable {
  /** Its origin. */
  readonly address: string;
  /** Folder of the web app's files. */
  readonly webRoot: string;
  /** Nothing answers until the function that it gives is called. */
  cut(): () => void;
}

export async function serveCopy(): Promise<ServedCopy> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-copy-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const webRoot = join(folder, 'web');
  await cp(webDist, webRoot, { recursive: true, dereference: true });
  // The service worker in one form only: changing it changes what is sent.
  await Promise.all(['br', 'gz'].map((ending) => rm(join(webRoot, `sw.js.${ending}`), { force: true })));
  const port = await freePort();
  const wire = stack.use(await cuttableWire(port));
  const address = `http://localhost:${wire.port}`;
  const server = await startServer(
    {
      PORT: String(port),
      PUBLIC_URL: address,
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
      RATE_LIMIT_WRITES: '0',
    },
    { webRoot },
  );
  stack.defer(() => server.close());
  const resources = stack.move();
  return { address, webRoot, cut: wire.cut, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
