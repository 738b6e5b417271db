/** The server's process: starts the server, prints its address and stops it on a signal. */
import { setFlagsFromString } from 'node:v8';
import { systemClock } from '@wirebench/clock';
import { loadEnvironment } from './environment.ts';
import { GatheredLines } from './plugins/gathered-lines.ts';
import { StartError } from './start-error.ts';
import { type StartedServer, startServer } from './start-server.ts';

async function main(): Promise<void> {
  // Turns off V8's guess at which objects live long. Many simultaneous requests mislead it (decision 23).
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

/** Opens the log on the standard output. The server goes on when the program that reads its log ends. */
function openLog(): GatheredLines {
  const lines = new GatheredLines(process.stdout, systemClock);
  process.on('exit', () => lines.flush());
  process.stdout.on('error', () => {
    // The error cannot be reported: the log itself is gone.
  });
  return lines;
}

/** Exit code of a process that a signal has ended, by the shell's convention: 128 plus the signal's number. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Handles SIGTERM and SIGINT from the start: otherwise the system ignores them for process 1 of a container. Before
 * the server is ready, a signal ends the process at once, and the database rolls back an unfinished migration.
 * Afterwards the first signal lets running requests finish, and a second one ends the process at once.
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
