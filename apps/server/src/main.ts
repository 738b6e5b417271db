/** The server's process: starts, says where, stops on a signal. */
import { setFlagsFromString } from 'node:v8';
import { systemClock } from '@wirebench/clock';
import { loadEnvironment } from './environment.ts';
import { GatheredLines } from './plugins/gathered-lines.ts';
import { StartError } from './start-error.ts';
import { type StartedServer, startServer } from './start-server.ts';

async function main(): Promise<void> {
  // A guess of V8's at which objects will live long, which many requests at once lead astray (decision 23).
  setFlagsFromString('--no-allocation-site-pretenuring');
  const signals = handleSignals();
  let server: StartedServer;
  try {
    server = await startServer(loadEnvironment(), { logDestination: openLog() });
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
    for (const line of error.lines) {
      console.error(line);
    }
    process.exitCode = 1;
    return;
  }
  console.log(`Wirebench is ready: ${server.address}`);
  signals.stopGently(server);
}

/** The standard output, which may end before the server does: whoever reads the log does not stop it by going away. */
function openLog(): GatheredLines {
  const lines = new GatheredLines(process.stdout, systemClock);
  process.on('exit', () => lines.flush());
  process.stdout.on('error', () => {
    // There is nobody to tell.
  });
  return lines;
}

/** Exit code of a process that a signal has ended, by the shell's convention: 128 and the signal's number. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Handles SIGTERM and SIGINT from the start on: the system ignores them for process 1 of a container otherwise. Before the server is ready a signal ends the
 * process at once, and the database rolls an unfinished migration back. Afterwards the first signal lets requests in flight finish, and a second one does not
 * wait for them.
 */
function handleSignals(): { stopGently(server: StartedServer): void } {
  let server: StartedServer | null = null;
  let isStopping = false;
  const onSignal = async (signal: keyof typeof signalCodes) => {
    if (server === null) {
      process.exit(signalCodes[signal]);
    }
    if (isStopping) {
      process.exit(1);
    }
    isStopping = true;
    await server.close();
    process.exit(0);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return {
    stopGently: (started) => {
      server = started;
    },
  };
}

await main();
