/** `wirebench publish`: a version of a firmware project from the files of a build, with a publishing token. */
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { type Publication, readArguments } from './arguments.ts';
import { printPublished, publishRelease } from './publish.ts';
import { PublishError } from './publish-error.ts';

export async function runPublish(): Promise<ExitCode> {
  const wanted = read();
  try {
    printPublished(await publishRelease(wanted, '.'));
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof PublishError) {
      throw new CommandError(exitCodes.failed, error.message, { cause: error });
    }
    throw error;
  }
}

/** Reads the words behind `publish` themselves: `--guard` belongs to the `--build` before it. */
function read(): Publication {
  try {
    const wanted = readArguments(process.argv.slice(3), process.env);
    if (wanted === 'help') {
      throw new Error('help is printed by the table of commands');
    }
    return wanted;
  } catch (error) {
    throw new CommandError(exitCodes.usage, error instanceof Error ? error.message : String(error), { cause: error });
  }
}
