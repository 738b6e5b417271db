/** The file of `--junit`: no report of an earlier run survives this one, however it ends. */
import { lstat, rm, truncate, writeFile } from 'node:fs/promises';
import { givenText } from '@wirebench/port/given-text';
import { plainFault, undecided } from '@wirebench/runs';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { failedSuites, junitText } from './junit.ts';
import type { TestResult } from './test-result.ts';

/** Name of the suite of a run that has no test. */
export const nameless = 'wirebench test';

/** Path that stands for standard output. */
export const standardOutput = '-';

/** Returns the result of a test that could not begin: an error in place of its cases. */
export function unstarted(file: string, error: unknown): TestResult {
  const message = error instanceof Error ? error.message : String(error);
  const exitCode: ExitCode = error instanceof CommandError ? error.exitCode : exitCodes.failed;
  return {
    file,
    name: file,
    startedAt: Date.now(),
    tries: [
      { cases: [undecided('start', 'error', plainFault('start', message))], seconds: 0, transcript: '', exitCode },
    ],
    resets: 0,
    notes: [],
    exitCode,
  };
}

/**
 * Checks that `--junit` may replace what is there: nothing, or a report.
 *
 * @throws CommandError for another file.
 */
export async function checkReport(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => null);
  if (path === standardOutput || facts === null || (!facts.isFile() && !facts.isSymbolicLink())) {
    return;
  }
  const text = givenText(await readGiven(path));
  try {
    if (text !== '') {
      failedSuites(text);
    }
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${path} is there already and no JUnit report. Give another name.`, {
      cause: error,
    });
  }
}

/** Removes the report of an earlier run. What is no file, such as /dev/stdout, stays. */
export async function removeReport(path: string): Promise<void> {
  const facts = path === standardOutput ? null : await lstat(path).catch(() => null);
  if (facts?.isFile() === true) {
    await rm(path, { force: true });
  } else if (facts?.isSymbolicLink() === true) {
    await truncate(path).catch(() => undefined);
  }
}

/** @throws CommandError if the file cannot be written. */
export async function writeReport(path: string, results: readonly TestResult[]): Promise<void> {
  const text = junitText(results);
  if (path === standardOutput) {
    process.stdout.write(text);
    return;
  }
  await writeFile(path, text).catch((error: Error) => {
    throw new CommandError(exitCodes.failed, `the report cannot be written: ${error.message}`);
  });
}

/** Reports a command line that cannot be read. `args` are the words behind `test`. */
export async function reportMisuse(args: readonly string[], message: string): Promise<void> {
  const index = args.findLastIndex((word) => /^--junit(?:=|$)/.test(word));
  const path = /^--junit=(.+)$/s.exec(args[index] ?? '')?.[1] ?? args[index + 1];
  if (index === -1 || path === undefined) {
    return;
  }
  await checkReport(path);
  await removeReport(path);
  const sentence = message.replace(/^error: /, '');
  await writeReport(path, [unstarted(nameless, new CommandError(exitCodes.usage, sentence))]);
}
