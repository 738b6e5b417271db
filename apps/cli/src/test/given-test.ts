/** Tests that the command line names: files of JKits, and JKits of a server by their links. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { jkitPaths } from '@wirebench/contract/constants';
import { fileText } from '@wirebench/port/given-text';
import { type BoardTest, quoted, readJkitFile, readTest } from '@wirebench/runs';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { outgoingFetch } from '../network/outgoing-fetch.ts';

export interface GivenTest {
  /** Path or link as it was given. */
  readonly file: string;
  readonly test: BoardTest;
  /** Files that messages send, by the ids of the messages. */
  readonly sent: ReadonlyMap<string, File>;
}

/** Longest wait for a server, in milliseconds. */
const SERVER_WAIT = 30_000;

/**
 * Reads every test before a board is touched.
 *
 * @param paths Files for messages that send one. A message takes the one with the name that it has, else the next.
 * @throws CommandError with all faults and their places.
 */
export async function readTests(
  files: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly GivenTest[]> {
  const given = await Promise.all(paths.map(readSent));
  const tests: GivenTest[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const text = /^https?:\/\//i.test(file) ? await loadLinked(file, signal) : fileText(await readGiven(file));
    const read = readTest(readJkitFile(text ?? '', basename(file)));
    if (read.ok) {
      const sent = sentBy(read.test, given);
      const lacking = read.test.messages.find((message) => message.file !== null && !sent.has(message.id));
      if (lacking !== undefined) {
        faults.push(`${file}: ${quoted(lacking)} sends a file: name it with --file.`);
      }
      tests.push({ file, test: read.test, sent });
    } else {
      faults.push(...read.faults.map((fault) => `${file}: ${fault}`));
    }
  }
  if (faults.length > 0) {
    throw new CommandError(exitCodes.usage, `no test was run.\n${faults.join('\n')}`);
  }
  return tests;
}

async function readSent(path: string): Promise<File> {
  const content = await readGiven(path);
  const { mtimeMs } = await stat(path);
  return new File([content], basename(path), { lastModified: mtimeMs });
}

/** Gives each message that sends a file its own: by the name that it has, else the next one that no message names. */
function sentBy({ messages }: BoardTest, given: readonly File[]): ReadonlyMap<string, File> {
  const named = messages.flatMap(({ file }) => (file === null || file.name === '' ? [] : [file.name]));
  const others = given.filter(({ name }) => !named.includes(name));
  const sent = new Map<string, File>();
  for (const { id, file } of messages) {
    const own = file === null ? undefined : (given.find(({ name }) => name === file.name) ?? others.shift());
    if (own !== undefined) {
      sent.set(id, own);
    }
  }
  return sent;
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
    const response = await outgoingFetch(new URL(jkitPaths.jkit(id), address), { signal: limit });
    if (response.ok) {
      return await response.text();
    }
    const reason = response.status === 404 ? 'it does not exist, or it is private' : `HTTP ${response.status}`;
    throw new CommandError(exitCodes.failed, `the JKit of ${link} could not be loaded: ${reason}.`);
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError(exitCodes.failed, `the JKit of ${link} could not be loaded. ${(error as Error).message}`);
  }
}
