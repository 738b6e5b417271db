/** Tests that the command line names: files of JKits, and JKits of a server by their links. */
import { basename } from 'node:path';
import { jkitPaths } from '@wirebench/contract/constants';
import { fileText } from '@wirebench/port/given-text';
import { type BoardTest, readJkitFile, readTest } from '@wirebench/runs';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';

export interface GivenTest {
  /** Path or link as it was given. */
  readonly file: string;
  readonly test: BoardTest;
}

/** Longest wait for a server, in milliseconds. */
const SERVER_WAIT = 30_000;

/**
 * Reads every test before a board is touched.
 *
 * @throws CommandError with all faults and their places.
 */
export async function readTests(files: readonly string[], signal: AbortSignal): Promise<readonly GivenTest[]> {
  const tests: GivenTest[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const text = /^https?:\/\//i.test(file) ? await loadLinked(file, signal) : fileText(await readGiven(file));
    const read = readTest(readJkitFile(text ?? '', basename(file)));
    if (read.ok) {
      tests.push({ file, test: read.test });
    } else {
      faults.push(...read.faults.map((fault) => `${file}: ${fault}`));
    }
  }
  if (faults.length > 0) {
    throw new CommandError(exitCodes.usage, `no test was run.\n${faults.join('\n')}`);
  }
  return tests;
}

/** Loads a saved JKit by its link, such as `https://bench.example/app/uart?jkit=Ab-_9`. */
async function loadLinked(link: string, signal: AbortSignal): Promise<string> {
  const address = new URL(link);
  const id = address.searchParams.get('jkit') ?? '';
  if (!/^[\w-]{1,64}$/.test(id)) {
    throw new CommandError(exitCodes.usage, `${link} is no link of a JKit: it has no "?jkit=".`);
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(SERVER_WAIT)]);
  try {
    const response = await fetch(new URL(jkitPaths.jkit(id), address), { signal: limit });
    if (response.ok) {
      return await response.text();
    }
    const reason = response.status === 404 ? 'it does not exist, or it is private' : `HTTP ${response.status}`;
    throw new CommandError(exitCodes.failed, `the JKit of ${link} could not be loaded: ${reason}.`);
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError(exitCodes.failed, `the server of ${link} did not answer: ${(error as Error).message}`);
  }
}
