/** The folder of all embedded data, and the messages if it is unusable. */
import { existsSync } from 'node:fs';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import { DatabaseUnavailableError, isSqliteAway } from './database/database-failure.ts';
import { adviceForSchema, SchemaVersionError } from './database/schema.ts';
import { reasonOf } from './failure-reason.ts';

/**
 * Creates the folder if it is missing and returns its absolute path.
 *
 * @throws StartError if it is not writable.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw new StartError(
      [
        `DATA_DIR ${folder} cannot be written to (${reasonOf(error)}): make it writable, or set DATA_DIR to another folder.`,
      ],
      { cause: error },
    );
  }
}

/**
 * Creates the folder and its missing parents. It works step by step, because `mkdir` with `recursive` never returns
 * if the system answers "no such folder" inside an existing folder, for example below /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    // Other users of a shared machine must not read sessions and users' texts.
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) {
      return;
    }
    const above = dirname(folder);
    if (code !== 'ENOENT' || existsSync(above)) {
      throw error;
    }
    await makeFolder(above);
    await makeFolder(folder);
  }
}

/**
 * Opens one of the folder's files.
 *
 * @throws StartError that names the file if it is invalid.
 */
export async function openDataFile<Opened>(path: string, open: (path: string) => Promise<Opened>): Promise<Opened> {
  try {
    return await open(path);
  } catch (error) {
    throw new StartError([`${path} cannot be opened (${reasonOf(error)}): ${adviceFor(error)}.`], { cause: error });
  }
}

function adviceFor(error: unknown): string {
  if (error instanceof SchemaVersionError) {
    return adviceForSchema(error);
  }
  return error instanceof DatabaseUnavailableError || isSqliteAway(error)
    ? 'stop the program that has it open, free disk space, or set DATA_DIR to another folder'
    : 'restore it from a backup, or set DATA_DIR to another folder';
}
