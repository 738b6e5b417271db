/**
 * `remote-port.mjs`: the part `wirebench serve` as a program of its own, one file that every server offers. It runs on
 * Node 20 or newer. Its command line and exit codes are older than `wirebench` and stay.
 */
import '@wirebench/port/older-node';
import { type RemotePortArguments, readArguments, usage } from './arguments.ts';
import { RemotePortError } from './remote-port-program.ts';
import { linkOf, serveBench } from './serve-bench.ts';

const wrongUsage = 2;

// Process lists show this title instead of the link, where the system lets a program choose its title.
process.title = 'remote-port';

function fail(error: unknown, exitCode: number): void {
  console.error(`remote-port: ${error instanceof Error ? error.message : error}`);
  process.exitCode = exitCode;
}

function readCommandLine(): RemotePortArguments | 'help' | null {
  try {
    return readArguments(process.argv.slice(2), process.env);
  } catch (error) {
    fail(`${error instanceof Error ? error.message : error} (see --help)`, wrongUsage);
    return null;
  }
}

function interrupted(): AbortSignal {
  const ending = new AbortController();
  const interrupt = () => {
    if (ending.signal.aborted) {
      process.exit(130);
    }
    ending.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return ending.signal;
}

async function run(wanted: RemotePortArguments): Promise<void> {
  const link = await linkOf(wanted).catch((error: unknown) => {
    fail(error, wrongUsage);
    return null;
  });
  if (link === null) {
    return;
  }
  try {
    await serveBench(wanted, link, interrupted());
  } catch (error) {
    if (!(error instanceof RemotePortError)) {
      throw error;
    }
    fail(error, 1);
  }
}

const wanted = readCommandLine();
if (wanted === 'help') {
  process.stdout.write(usage);
} else if (wanted !== null) {
  await run(wanted);
  // A connection that stays open must not keep the program running.
  process.exit();
}
