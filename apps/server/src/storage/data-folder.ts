/** The folder that everything embedded lives in, and what people read when it cannot be used. */
import { existsSync } from 'node:fs';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import { DatabaseUnavailableError, isSqliteAway } from './database/database-failure.ts';
import { adviceForSchema, SchemaVersionError } from './database/schema.ts';
import { reasonOf } from './failure-reason.ts';

/** Makes the folder where it is missing and returns its full path. Throws a `StartError` when it cannot be written. */
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
 * Makes the folder and those above it that are missing. Step by step, because `mkdir` with `recursive` never ends where the
 * system answers "no such folder" inside of a folder that exists, as it does below /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    // Sessions and people's words are nobody else's business on a shared machine.
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

/** Opens one of the folder's files. Throws a `StartError` that names it when it is not what this product wrote. */
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
