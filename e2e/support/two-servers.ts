/**
 * Two servers of the product that share only a Redis, each with its own accounts and data. The second one is behind a
 * wire that can be cut.
 */
import { join } from 'node:path';
import { type CuttableWire, cuttableWire } from '@wirebench/server/testing/cuttable-wire.ts';
import { freePort } from '@wirebench/server/testing/free-port.ts';
import { findRedis, startRedis } from '@wirebench/server/testing/redis.ts';
import { type ServerProcess, startServerProcess } from '@wirebench/server/testing/server-process.ts';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';

export const hasRedis = findRedis() !== null;

export interface TwoServers extends AsyncDisposable {
  /** Address of the first server. */
  readonly near: string;
  /** Address of the second server, through the wire. */
  readonly far: string;
  readonly wire: CuttableWire;
  /** Returns the logs of both servers so far. */
  output(): string;
  /** Parent folder of both servers' data. */
  readonly folder: string;
}

export async function startTwoServers(): Promise<TwoServers> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const redis = stack.use(await startRedis());
  const farPort = await freePort();
  const wire = stack.use(await cuttableWire(farPort));
  const far = `http://localhost:${wire.port}`;
  const start = async (name: string, environment: Readonly<Record<string, string>>): Promise<ServerProcess> =>
    stack.use(
      await startServerProcess({
        cwd: folder.path,
        environment: {
          DATA_DIR: join(folder.path, name),
          REDIS_URL: redis.url,
          RATE_LIMIT_WRITES: '0',
          RATE_LIMIT_READS: '0',
          METRICS: 'all',
          LOG_LEVEL: 'info',
          ...environment,
        },
      }),
    );
  const [one, other] = await Promise.all([
    start('one', {}),
    start('other', { PORT: String(farPort), PUBLIC_URL: far }),
  ]);
  const resources = stack.move();
  return {
    near: new URL(one.address).origin,
    far,
    wire,
    folder: folder.path,
    output: () => one.output() + other.output(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
