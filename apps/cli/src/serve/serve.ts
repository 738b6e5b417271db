/** `wirebench serve`: a port of this computer or of a shared bench as a serial port for other programs. */
import type { OptionValue, OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { interruption } from '../interruption.ts';
import { checkArguments, type RemotePortArguments } from './arguments.ts';
import { RemotePortError } from './remote-port-program.ts';
import { linkOf, serveBench } from './serve-bench.ts';

export async function runServe(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const name = localName(given, options);
  if (name !== null) {
    const { servePort } = await import('./serve-port.ts');
    return servePort(name, options);
  }
  const own = ['clients', 'rawTcp'].find((option) => options[option] !== undefined);
  if (own !== undefined) {
    const flag = own === 'clients' ? '--clients' : '--raw-tcp';
    throw new CommandError(exitCodes.usage, `${flag} is for a port of this computer: name it, as in serve ttyUSB0.`);
  }
  // Process lists show this title instead of the link, where the system lets a program choose its title.
  process.title = 'wirebench serve';
  const wanted = argumentsOf(given, options);
  const link = await linkOf(wanted).catch(wrongUse);
  const ended = interruption();
  try {
    await serveBench(wanted, link, ended.signal);
  } catch (error) {
    if (error instanceof RemotePortError) {
      throw new CommandError(exitCodes.failed, error.message, { cause: error });
    }
    throw error;
  }
  return ended.exitCode();
}

function argumentsOf(given: readonly string[], { port, listen, name }: OptionValues): RemotePortArguments {
  try {
    return checkArguments(given, { port: textOf(port), listen: textOf(listen), name: textOf(name) }, process.env);
  } catch (error) {
    return wrongUse(error);
  }
}

/** Returns the port of this computer that is named; null for a port of a shared bench. */
function localName([word]: readonly string[], { port, simulate }: OptionValues): string | null {
  if (word !== undefined && !/^https?:/i.test(word)) {
    return word;
  }
  const isLocal = word === undefined && typeof port === 'string' && !/^\d+$/.test(port);
  return isLocal ? port : typeof simulate === 'string' ? '' : null;
}

const textOf = (value: OptionValue) => (typeof value === 'string' ? value : undefined);

function wrongUse(error: unknown): never {
  throw new CommandError(exitCodes.usage, error instanceof Error ? error.message : String(error), { cause: error });
}
