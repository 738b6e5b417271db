/** The server's process: starts, says where, stops on a signal. */
import { loadEnvironment } from './environment.ts';
import { StartError } from './start-error.ts';
import { type StartedServer, startServer } from './start-server.ts';

async function main(): Promise<void> {
  let server: StartedServer;
  try {
    server = await startServer(loadEnvironment());
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
