/** Starts a server that listens, from its environment, and closes it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@wirebench/clock';
import { type ClientTimeouts, openGate } from './admission/gate.ts';
import { buildApp } from './app.ts';
import { type Config, type Environment, readConfig } from './config.ts';
import { refuseReachableDemo } from './identity/embedded/embedded-identity.ts';
import { openListeners } from './listeners.ts';
import type { LogDestination } from './plugins/request-log.ts';
import type { S3Times } from './storage/blobs/s3-store.ts';
import { readTls, renewTls } from './tls-files.ts';

export interface StartOptions {
  /** Folder of the built web app. Default: the one of this repository. */
  readonly webRoot?: string;
  /** Receives log lines instead of the standard output. */
  readonly logDestination?: LogDestination;
  /** Time limits of slow clients in milliseconds, if they differ from the defaults. */
  readonly timeouts?: Partial<ClientTimeouts>;
  /** Waits for an S3 store, if they differ from the defaults. */
  readonly s3Times?: S3Times;
}

export interface StartedServer {
  /** The origin that people open. */
  readonly address: string;
  readonly port: number;
  /** Lets running requests finish, then closes everything. */
  close(): Promise<void>;
}

/**
 * Returns the configuration if a server may start with it. Creates no files.
 *
 * @throws StartError with the remedy.
 */
export async function checkSettings(environment: Environment): Promise<Config> {
  const config = readConfig(environment);
  if (config.tls !== null) {
    await readTls(config.tls);
  }
  if (config.identity.kind === 'embedded') {
    await refuseReachableDemo(config.dataDir, config.identity.reachedBy);
  }
  return config;
}

/**
 * Milliseconds of the phases of a stop. Their sum is below the ten seconds after which `docker stop` kills the
 * process.
 */
export const stopTimes = {
  /**
   * Behind a proxy, a stop is announced first: a request that the proxy writes to an idle connection is lost when
   * this side closes it at the same time. The wait is twice the interval of the health checks in deploy/Caddyfile.
   */
  announce: 2_000,
  /** Time for running requests to finish. */
  drain: 6_000,
};

/**
 * Starts the server.
 *
 * @throws StartError if a variable, the port or the data folder has to be changed first.
 */
export async function startServer(
  environment: Environment,
  { timeouts = {}, ...options }: StartOptions = {},
): Promise<StartedServer> {
  const config = await checkSettings(environment);
  const tls = config.tls === null ? null : await readTls(config.tls);
  // The port comes first: it is part of the issuer, and a second start of the same server ends here without
  // touching its data.
  const listeners = await openListeners({ ...config.listen, tls, keepAlive: config.keepAlive });
  const resources = new AsyncDisposableStack();
  const gate = resources.use(
    openGate({ overloadDelay: config.overloadDelay, appOrigins: config.appOrigins, timeouts }),
  );
  try {
    const publicUrl = config.publicUrl ?? `${tls === null ? 'http' : 'https'}://localhost:${listeners.port}`;
    const app = await buildApp({ ...options, config, publicUrl, gate });
    resources.defer(() => app.close());
    if (config.tls !== null && tls !== null) {
      resources.use(
        await renewTls({
          files: config.tls,
          first: tls,
          clock: systemClock,
          use: (pair) => {
            listeners.useTls(pair);
            app.log.info('the server uses a new certificate');
          },
          onFailure: (err) =>
            app.log.error({ err }, 'the certificate files cannot be used: the previous certificate stays in use'),
        }),
      );
    }
    listeners.serve(
      gate.inFrontOf(app.routing),
      gate.inFrontOfUpgrades((...upgrade) => app.server.emit('upgrade', ...upgrade)),
    );
    return {
      address: publicUrl,
      port: listeners.port,
      close: async () => {
        if (config.trustProxy !== false) {
          listeners.announceStop();
          await Promise.all([app.saveCounts(), sleep(stopTimes.announce)]);
        }
        // Run together: the app ends the WebSockets that the listeners wait for. Counts in memory are saved at
        // once, in case the process is killed while it drains.
        await Promise.all([app.saveCounts(), listeners.drain(stopTimes.drain), app.closeLiveConnections()]);
        await resources.disposeAsync();
      },
    };
  } catch (error) {
    await listeners.drain(0);
    await resources.disposeAsync();
    throw error;
  }
}
