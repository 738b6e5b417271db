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
  stopOnSignal(server);
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

/** The first signal lets requests in flight finish; a second one does not wait for them. */
function stopOnSignal(server: StartedServer): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) {
      process.exit(1);
    }
    stopping = true;
    await server.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

await main();
