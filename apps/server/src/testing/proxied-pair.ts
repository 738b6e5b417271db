/** Two server processes behind the proxy of `deploy/`, on one PostgreSQL and one folder, and an identity provider's keys. */
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
  /** Where it answers without the proxy. */
  readonly address: string;
  readonly process: ServerProcess;
  /** Starts it again where it was, after it has ended. */
  start(): Promise<void>;
}

export interface ProxiedPair extends AsyncDisposable {
  readonly proxy: Caddy;
  readonly servers: readonly [ProxiedServer, ProxiedServer];
  /** What both write to. */
  readonly dataDir: string;
  /** An access token of somebody. */
  newToken(name: string): Promise<string>;
  /** Resolves when the proxy has asked each server again how it is, and has had the time to note the answer. Both have to run. */
  untilProxyLooked(): Promise<void>;
}

export interface ProxiedPairOptions {
  /** Folders of the servers' builds of the web app; the product's own without them. */
  readonly webRoots?: readonly [string, string];
  /** Settings of both servers beside those that the proxy and the database need. */
  readonly environment?: Environment;
}

/** Reports that one address may make in a minute, at one server. */
export const reportsPerMinute = 10;

/**
 * Starts the proxy and both servers.
 *
 * @param postgresUrl Any database of the PostgreSQL.
 * @param template Database that is copied.
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
          // Names the probes of the proxy.
          LOG_LEVEL: 'debug',
          RATE_LIMIT_WRITES: String(reportsPerMinute),
          // Other tests keep this machine busy: nobody is to be turned away for that.
          OVERLOAD_DELAY: '0',
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
