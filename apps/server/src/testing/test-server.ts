/**
 * A complete server for a test: own data, own port, a small web app, captured log. Everything is removed afterwards.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../config.ts';
import { type StartOptions, startServer } from '../start-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeWebApp } from './web-app.ts';

export interface TestServer extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  readonly dataDir: string;
  readonly log: readonly string[];
  /** Stops the server and starts another one on the same data and port. */
  restart(): Promise<void>;
}

export async function startTestServer(
  environment: Environment = {},
  { timeouts = {}, s3Times = {} }: Pick<StartOptions, 'timeouts' | 's3Times'> = {},
): Promise<TestServer> {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const webRoot = join(folder.path, 'web');
  await mkdir(webRoot);
  await writeWebApp(webRoot);
  const log: string[] = [];
  // No load is shed unless a test asks for it: other tests keep this machine busy.
  const start = (port: number) =>
    startServer(
      { PORT: String(port), DATA_DIR: dataDir, OVERLOAD_DELAY: '0', ...environment },
      { webRoot, logDestination: { write: (line) => log.push(line) }, timeouts, s3Times },
    );
  let server = await start(0);
  return {
    address: server.address,
    port: server.port,
    dataDir,
    log,
    restart: async () => {
      await server.close();
      server = await start(server.port);
    },
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
