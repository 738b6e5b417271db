/** What the commands have in common that work on one file: usage, paths as the person sees them, one line at the end. */
import { resolve } from 'node:path';
import { type BackupSummary, loadEnvironment, StartError } from '@wirebench/server';

type Work = (environment: NodeJS.ProcessEnv, file: string) => Promise<BackupSummary>;

/** Runs `work` on the file that the command line names, and says what was `done`. Failures end the process with 1. */
export async function runOnFile(usage: string, work: Work, done: string): Promise<void> {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0) {
    console.error(`Usage: ${usage}`);
    process.exitCode = 1;
    return;
  }
  try {
    // npm changes the working directory to the project's and says where the person was.
    const path = resolve(process.env['INIT_CWD'] ?? '.', file);
    const summary = await work({ ...loadEnvironment() }, path);
    console.log(`${done}: ${summary.files} files, ${(summary.bytes / 1_000_000).toFixed(1)} MB, ${summary.file}`);
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
    console.error(error.lines.join('\n'));
    process.exitCode = 1;
  }
}
