/** From the environment to a server that listens, and back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@wirebench/clock';
import { type ClientTimeouts, openGate } from './admission/gate.ts';
import { buildApp } from './app.ts';
import { type Config, type Environment, readConfig } from './config.ts';
import { refuseReachableDemo } from './identity/embedded/embedded-identity.ts';
import { openListeners } from './listeners.ts';
import type { LogDestination } from './plugins/request-log.ts';
import { readTls, renewTls } from './tls-files.ts';

export interface StartOptions {
  /** Folder of the built web app; that of this repository without it. */
  readonly webRoot?: string;
  /** Takes log lines in place of the standard output. */
  readonly logDestination?: LogDestination;
  /** Milliseconds that slow clients have, where they are not the usual ones. */
  readonly timeouts?: Partial<ClientTimeouts>;
}

export interface StartedServer {
  /** The origin that people open. */
  readonly address: string;
  readonly port: number;
  /** Lets requests in flight finish, then closes everything. */
  close(): Promise<void>;
}

/** The configuration, when a server may start with it. Throws a `StartError` that says what to do. Makes no file. */
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

/** Milliseconds of a stop. Together they are less than the ten seconds after which `docker stop` kills the process. */
export const stopTimes = {
  /**
   * Behind a proxy a stop is announced first: a request that the proxy has just written to an idle connection is lost when this side closes it.
   * Twice the interval at which deploy/Caddyfile asks for health.
   */
  announce: 2_000,
  /** For requests in flight to finish. */
  drain: 6_000,
};

/** Throws a `StartError` when a variable, the port or the data folder has to be changed first. */
export async function startServer(
  environment: Environment,
  { timeouts = {}, ...options }: StartOptions = {},
): Promise<StartedServer> {
  const config = await checkSettings(environment);
  const tls = config.tls === null ? null : await readTls(config.tls);
  // The port comes first: it is part of the issuer, and a second start of the same server ends here without touching its data.
  const listeners = await openListeners({ ...config.listen, tls, keepAlive: config.keepAlive });
  const resources = new AsyncDisposableStack();
  const gate = resources.use(openGate({ overloadDelay: config.overloadDelay, timeouts }));
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
            app.log.info('the certificate was read again');
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
        // Together: the app ends WebSockets, and the listeners wait for that. What waits in memory is written at once, in case the process is killed while it drains.
        await Promise.all([app.saveCounts(), listeners.drain(stopTimes.drain), app.sendAway()]);
        await resources.disposeAsync();
      },
    };
  } catch (error) {
    await listeners.drain(0);
    await resources.disposeAsync();
    throw error;
  }
}
