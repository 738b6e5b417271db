/** Two server processes that share only a Redis: each has its own database. */
import { join } from 'node:path';
import { type LiveRoom, newLiveRoom } from './live-client.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startTokenIssuer } from './token-issuer.ts';

export interface LivePair extends AsyncDisposable {
  readonly redis: TestRedis;
  readonly servers: readonly [ServerProcess, ServerProcess];
  bearer(name: string): Promise<{ authorization: string }>;
  /** Creates a room at the first server, with a new user as its owner. */
  newRoom(): Promise<LiveRoom>;
  /** Resolves when both servers are ready, or neither is. */
  untilReady(isReady: boolean): Promise<void>;
}

export async function startLivePair(environment: Readonly<Record<string, string>> = {}): Promise<LivePair> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const redis = stack.use(await startRedis());
  const issuer = stack.use(await startTokenIssuer());
  const start = async (name: string) =>
    stack.use(
      await startServerProcess({
        cwd: folder.path,
        environment: {
          ...issuer.environment,
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
  const servers = await Promise.all([start('one'), start('other')]);
  let users = 0;
  const bearer = async (name: string) => {
    const token = await issuer.sign({
      iss: issuer.issuer,
      sub: `subject-of-${name}`,
      azp: 'wirebench-web',
      exp: Math.floor(Date.now() / 1_000) + 300,
      preferred_username: name,
    });
    return { authorization: `Bearer ${token}` };
  };
  const resources = stack.move();
  return {
    redis,
    servers,
    bearer,
    newRoom: async () => newLiveRoom(servers[0].address, await bearer(`host-${++users}`)),
    async untilReady(isReady) {
      for (const { address } of servers) {
        while ((await fetch(`${address}/api/ready`)).ok !== isReady) {
          // The result of a check is valid for a second.
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
