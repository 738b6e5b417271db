/**
 * `npm run publish-release -- --server … --project … --version … --file 0x1000=bootloader.bin …`: the part
 * `wirebench publish` as a program of its own, for build servers. A Wirebench server serves it as
 * `/publish-release.mjs`, one file for Node 20 and newer (apps/web/node-programs.ts). The link is the only line on
 * standard output; everything else goes to standard error.
 */
import { type Publication, readArguments, usageOf } from './arguments.ts';
import { printPublished, publishRelease } from './publish.ts';
import { PublishError } from './publish-error.ts';

const wrongUsage = 2;

/** Command in the usage text. The built file runs with Node alone. */
const command = process.argv[1]?.endsWith('.mjs') ? 'node publish-release.mjs' : 'npm run publish-release --';

function fail(text: string, exitCode: number): void {
  console.error(`publish-release: ${text}`);
  process.exitCode = exitCode;
}

function read(): Publication | 'help' | null {
  try {
    return readArguments(process.argv.slice(2), process.env);
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)} (see --help)`, wrongUsage);
    return null;
  }
}

const wanted = read();
if (wanted === 'help') {
  console.log(usageOf(command));
} else if (wanted !== null) {
  try {
    // npm changes the working directory to the project's and passes the caller's in INIT_CWD.
    printPublished(await publishRelease(wanted, process.env['INIT_CWD'] ?? '.'));
  } catch (error) {
    if (!(error instanceof PublishError)) {
      throw error;
    }
    fail(error.message, 1);
  }
}
