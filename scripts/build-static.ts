/**
 * `npm run build:static -- --base /tools/ --releases firmware`: builds the static edition, a folder of files for any
 * web host (docs/decisions/0058).
 */

import { readArguments, type StaticBuild, StaticBuildError, usage } from './static-edition/arguments.ts';
import { buildStatic } from './static-edition/build.ts';
import { reportOf } from './static-edition/report.ts';

const wrongUsage = 2;

function fail(text: string, exitCode: number): void {
  console.error(`build:static: ${text}`);
  process.exitCode = exitCode;
}

// npm changes the working directory to the project's and passes the caller's in INIT_CWD.
const cwd = process.env['INIT_CWD'] ?? process.cwd();

function read(): StaticBuild | 'help' | null {
  try {
    return readArguments(process.argv.slice(2), cwd);
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)} (see --help)`, wrongUsage);
    return null;
  }
}

const wanted = read();
if (wanted === 'help') {
  console.log(usage);
} else if (wanted !== null) {
  try {
    console.log(reportOf(wanted, await buildStatic(wanted), cwd));
  } catch (error) {
    if (!(error instanceof StaticBuildError)) {
      throw error;
    }
    fail(error.message, 1);
  }
}
