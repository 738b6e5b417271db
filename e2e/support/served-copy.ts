/** A copy of the built product's files on its own server. A test may change the files and cut the server's network. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@wirebench/server';
import { cuttableWire } from '@wirebench/server/testing/cuttable-wire.ts';
import { freePort } from '@wirebench/server/testing/free-port.ts';
import { webDist } from '../../scripts/build/web.ts';

export interface ServedCopy extends AsyncDisposable {
  /** Origin of the server. */
  readonly address: string;
  /** Folder of the web app's files. */
  readonly webRoot: string;
  /** Stops answering until the returned function is called. */
  cut(): () => void;
}

export async function serveCopy(): Promise<ServedCopy> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'wirebench-copy-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const webRoot = join(folder, 'web');
  await cp(webDist, webRoot, { recursive: true, dereference: true });
  // Removes the compressed service worker, so that a change of the plain file changes the served one.
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
