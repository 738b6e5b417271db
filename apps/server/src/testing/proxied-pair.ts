/**
 * Two server processes behind the proxy of `deploy/`, on one PostgreSQL and one folder, with a test's identity
 * provider.
 */
import { join } from 'node:path';
import { apiPaths } from '@wirebench/contract';
import { expect } from 'vitest';
import type { Environment } from '../config.ts';
import { type Caddy, startCaddy } from './caddy.ts';
import { freePort } from './free-port.ts';
import { createPostgresDatabase } from './postgres-database.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { startTokenIssuer } from './token-issuer.ts';

interface ProxiedServer {
  /** Address without the proxy. */
  readonly address: string;
  readonly process: ServerProcess;
  /** Starts the server again on the same port after it has ended. */
  start(): Promise<void>;
}

export interface ProxiedPair extends AsyncDisposable {
  readonly proxy: Caddy;
  readonly servers: readonly [ProxiedServer, ProxiedServer];
  /** Data folder of both servers. */
  readonly dataDir: string;
  /** Returns an access token of the user `name`. */
  newToken(name: string): Promise<string>;
  /**
   * Resolves when the proxy has checked the health of each server again and noted the answer. Both servers have to
   * run.
   */
  untilProxyLooked(): Promise<void>;
}

export interface ProxiedPairOptions {
  /** Folders of the servers' web app builds. Default: the product's own. */
  readonly webRoots?: readonly [string, string];
  /** Settings of both servers in addition to those for the proxy and the database. */
  readonly environment?: Environment;
}

/** Reports that one address may make per minute, at one server. */
export const reportsPerMinute = 10;

/**
 * Starts the proxy and both servers.
 *
 * @param postgresUrl Any database of the PostgreSQL.
 * @param template Database to copy.
 */
export async function startProxiedPair(
  postgresUrl: string,
  template: string,
  { webRoots, environment = {} }: ProxiedPairOptions = {},
): Promise<ProxiedPair> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const database = stack.use(await createPostgresDatabase(postgresUrl, template));
  const issuer = stack.use(await startTokenIssuer());
  const dataDir = join(folder.path, 'data');
  const [proxyPort, onePort, otherPort] = [await freePort(), await freePort(), await freePort()];

  const startServer = async (port: number, webRoot?: string): Promise<ProxiedServer> => {
    const start = () =>
      startServerProcess({
        cwd: folder.path,
        ...(webRoot === undefined ? {} : { webRoot }),
        environment: {
          ...issuer.environment,
          PORT: String(port),
          PUBLIC_URL: `http://localhost:${proxyPort}`,
          TRUST_PROXY: 'loopback',
          DATA_DIR: dataDir,
          DATABASE_URL: database.url,
          METRICS: 'all',
          // Logs the probes of the proxy.
          LOG_LEVEL: 'debug',
          RATE_LIMIT_WRITES: String(reportsPerMinute),
          ...environment,
        },
      });
    let process = await start();
    stack.defer(() => process[Symbol.asyncDispose]());
    return {
      address: `http://127.0.0.1:${port}`,
      get process() {
        return process;
      },
      start: async () => {
        process = await start();
      },
    };
  };
  const servers = await Promise.all([startServer(onePort, webRoots?.[0]), startServer(otherPort, webRoots?.[1])]);
  const proxy = stack.use(
    await startCaddy({
      port: proxyPort,
      upstreams: {
        'server-1:4173': `127.0.0.1:${onePort}`,
        'server-2:4173': `127.0.0.1:${otherPort}`,
        'keycloak:8080': new URL(issuer.url).host,
      },
    }),
  );
  const resources = stack.move();
  return {
    proxy,
    servers,
    dataDir,
    newToken: (name) =>
      issuer.sign({
        iss: issuer.issuer,
        sub: `subject-of-${name}`,
        azp: 'wirebench-web',
        exp: Math.floor(Date.now() / 1_000) + 300,
        preferred_username: name,
      }),
    untilProxyLooked: async () => {
      const probes = () => servers.map(({ process }) => process.output().split(`"route":"${apiPaths.health}"`).length);
      const before = probes();
      await expect
        .poll(() => probes().every((count, server) => count >= (before[server] ?? 0) + 2), { timeout: 60_000 })
        .toBe(true);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
