/**
 * Two server processes on one PostgreSQL and one file store, with users who call them in turn. The store is a bucket
 * if an S3 store is available, otherwise a shared folder.
 */
import { join } from 'node:path';
import { createPostgresDatabase } from './postgres-database.ts';
import { createBucket, hasS3 } from './s3-bucket.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startTokenIssuer } from './token-issuer.ts';

export type PairCall = ReturnType<typeof callerOf>;

export interface ServerPair extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly servers: readonly [ServerProcess, ServerProcess];
  /** Returns the keys of all objects in the bucket; null without one. */
  readonly bucketKeys: (() => Promise<string[]>) | null;
  /** Starts one more server on the same database and store. */
  start(name: string): Promise<ServerProcess>;
  /** Returns the calls of a signed-in user. */
  newUser(name: string, roles?: readonly string[]): Promise<PairCall>;
}

/**
 * Starts both servers at once, on a database without tables.
 *
 * @param postgresUrl Any database of the PostgreSQL.
 */
export async function startServerPair(postgresUrl: string): Promise<ServerPair> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const database = stack.use(await createPostgresDatabase(postgresUrl));
  const issuer = stack.use(await startTokenIssuer());
  const bucket = hasS3 ? await createBucket() : null;
  const start = (name: string) =>
    startServerProcess({
      cwd: folder.path,
      environment: {
        ...issuer.environment,
        ...bucket?.environment,
        DATA_DIR: join(folder.path, bucket === null ? 'shared' : name),
        DATABASE_URL: database.url,
        RATE_LIMIT_WRITES: '0',
        LIMIT_UPLOADS_PER_USER: '16',
      },
    });
  const servers = await Promise.all([start('one'), start('other')]);

  const newUser = async (name: string, roles: readonly string[] = []): Promise<PairCall> => {
    const token = await issuer.sign({
      iss: issuer.issuer,
      sub: `subject-of-${name}`,
      azp: 'wirebench-web',
      exp: Math.floor(Date.now() / 1_000) + 300,
      preferred_username: name,
      realm_access: { roles },
    });
    return callerOf(servers, token);
  };
  return {
    databaseUrl: database.url,
    servers,
    bucketKeys: bucket === null ? null : () => bucket.keys(),
    start,
    newUser,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await stack.disposeAsync();
    },
  };
}

/** Returns a function that calls the servers alternately, or the one at `address`. */
function callerOf(servers: readonly ServerProcess[], token: string) {
  let calls = 0;
  return async (
    method: string,
    path: string,
    body?: object | FormData,
    address = servers[calls++ % servers.length]?.address,
  ) => {
    const answer = await fetch(`${address}${path}`, { method, ...requestOf(token, body) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
}

function requestOf(token: string, body: object | undefined): RequestInit {
  const authorization = `Bearer ${token}`;
  if (body === undefined) {
    return { headers: { authorization } };
  }
  return body instanceof FormData
    ? { headers: { authorization }, body }
    : { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Runs `work` many times simultaneously. */
export function times<Result>(count: number, work: (number: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}
