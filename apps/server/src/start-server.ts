/** From the environment to a server that listens, and back. */
import { openGate, type Patience } from './admission/gate.ts';
import { buildApp } from './app.ts';
import { type Environment, readConfig } from './config.ts';
import { openListeners } from './listeners.ts';
import type { LogDestination } from './plugins/request-log.ts';

export interface StartOptions {
  /** Folder of the built web app; that of this repository without it. */
  readonly webRoot?: string;
  /** Takes log lines in place of the standard output. */
  readonly logDestination?: LogDestination;
  /** Milliseconds that slow clients have, where they are not the usual ones. */
  readonly patience?: Partial<Patience>;
}

export interface StartedServer {
  /** The origin that people open. */
  readonly address: string;
  readonly port: number;
  /** Lets requests in flight finish, then closes everything. */
  close(): Promise<void>;
}

/** Milliseconds that requests in flight have to finish once the server stops. */
const PATIENCE = 10_000;

/** Throws a `StartError` when a variable, the port or the data folder has to be changed first. */
export async function startServer(
  environment: Environment,
  { patience = {}, ...options }: StartOptions = {},
): Promise<StartedServer> {
  const config = readConfig(environment);
  // The port comes first: it is part of the issuer, and a second start of the same server ends here without touching its data.
  const listeners = await openListeners({ ...config.listen, keepAlive: config.keepAlive });
  const gate = openGate({ overloadDelay: config.overloadDelay, patience });
  try {
    const publicUrl = config.publicUrl ?? `http://localhost:${listeners.port}`;
    const app = await buildApp({ ...options, config, publicUrl, gate });
    listeners.serve(gate.inFrontOf(app.routing));
    return {
      address: publicUrl,
      port: listeners.port,
      close: async () => {
        await listeners.drain(PATIENCE);
        await app.close();
        gate[Symbol.dispose]();
      },
    };
  } catch (error) {
    gate[Symbol.dispose]();
    await listeners.drain(0);
    throw error;
  }
}
