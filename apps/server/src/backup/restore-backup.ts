/**
 * Restores a backup into an empty data folder. Everything is unpacked and checked in a separate folder before the
 * first file is moved to its final place. A faulty backup leaves the data folder as it was.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@wirebench/clock';
import * as z from 'zod/mini';
import { commandText } from '../command-line/command-name.ts';
import { StartError } from '../start-error.ts';
import { syncFolder, systemErrorCode } from '../storage/blobs/disk.ts';
import { migrations } from '../storage/database/migrations/index.ts';
import { reasonOf } from '../storage/failure-reason.ts';
import { blobKeys } from './blob-keys.ts';
import type { BackupSummary } from './create-backup.ts';
import { backupHashes, backupLabel, blobFile, isDataFile, productDatabase, promisedHash } from './data-files.ts';
import { openStage } from './stage.ts';
import { readTar, TarError } from './tar.ts';

export interface RestoreOptions {
  readonly file: string;
  /** A missing or empty folder. */
  readonly dataDir: string;
  readonly clock?: Clock;
}

/** The archive does not hold the contents of a backup. */
class BrokenBackupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BrokenBackupError';
  }
}

/**
 * Restores a backup.
 *
 * @throws StartError with the remedy, if the folder is in use or the backup is incomplete.
 */
export async function restoreBackup({ file, dataDir, clock = systemClock }: RestoreOptions): Promise<BackupSummary> {
  const folder = resolve(dataDir);
  const source = resolve(file);
  const archive = await openArchive(source);
  try {
    const made = await claimFolder(folder);
    try {
      await using stage = await openStage(folder, clock.wallTime());
      const { names, bytes } = await unpack(archive, stage.path);
      checkDatabase(stage.path, names);
      await moveIn(stage.path, folder, names);
      return { file: source, files: names.length, bytes };
    } catch (error) {
      if (made) {
        await rm(folder, { recursive: true, force: true });
      }
      throw error;
    }
  } catch (error) {
    throw explained(error, source, folder);
  } finally {
    await archive.close();
  }
}

async function openArchive(source: string): Promise<FileHandle> {
  try {
    return await open(source, 'r');
  } catch (error) {
    throw new StartError(
      [`${source} cannot be read (${reasonOf(error)}): choose a file that ${commandText('backup')} created.`],
      {
        cause: error,
      },
    );
  }
}

/** Creates the folder if it is missing. Returns true if it did. */
async function claimFolder(folder: string): Promise<boolean> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new StartError([
      `${folder} is not empty: set DATA_DIR to an empty folder, or move its contents. Nothing was changed.`,
    ]);
  }
  return made !== undefined;
}

function explained(error: unknown, source: string, folder: string): unknown {
  if (error instanceof TarError || error instanceof BrokenBackupError) {
    return new StartError(
      [`${source} is not a complete backup (${error.message}): use another one. Nothing was changed.`],
      {
        cause: error,
      },
    );
  }
  return systemErrorCode(error) === null
    ? error
    : new StartError(
        [`${folder} cannot be written (${reasonOf(error)}): free some space, or set DATA_DIR to another folder.`],
        {
          cause: error,
        },
      );
}

/** Writes the files of `archive` below `stage` and checks each hash. */
async function unpack(archive: FileHandle, stage: string): Promise<{ names: readonly string[]; bytes: number }> {
  const found = new Map<string, string>();
  let promised: ReadonlyMap<string, string> | null = null;
  let bytes = 0;
  for await (const { name, size, content } of readTar(archive)) {
    if (promised !== null || found.has(name)) {
      throw new BrokenBackupError(`${name} does not belong in a backup`);
    }
    if (name === backupHashes) {
      promised = parseHashes(await textOf(name, size, content));
    } else if (name === backupLabel) {
      const text = await textOf(name, size, content);
      checkLabel(text);
      found.set(name, createHash('sha256').update(text).digest('hex'));
    } else if (isDataFile(name)) {
      found.set(name, await writeFile(join(stage, name), content));
      bytes += size;
    } else {
      throw new BrokenBackupError(`${name} does not belong in a backup`);
    }
  }
  checkHashes(found, promised);
  found.delete(backupLabel);
  return { names: [...found.keys()], bytes };
}

/** Bytes of the label or of the list of hashes: a line of 200 bytes for each of a million files. */
const LONGEST_TEXT = 200_000_000;

async function textOf(name: string, size: number, content: AsyncIterable<Buffer>): Promise<string> {
  if (size > LONGEST_TEXT) {
    throw new BrokenBackupError(`${name} is too large`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of content) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const Label = z.object({ product: z.literal('wirebench'), format: z.literal(1) });

function checkLabel(text: string): void {
  if (!Label.safeParse(jsonOf(text)).success) {
    throw new BrokenBackupError('it was made by another program, or by a newer version of this one');
  }
}

/** Returns undefined for invalid JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

/** Writes the file and returns its SHA-256. */
async function writeFile(path: string, content: AsyncIterable<Buffer>): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

function parseHashes(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
}

function checkHashes(found: ReadonlyMap<string, string>, promised: ReadonlyMap<string, string> | null): void {
  if (promised === null) {
    throw new BrokenBackupError('its end is missing');
  }
  for (const [name, hash] of promised) {
    if (found.get(name) !== hash || (promisedHash(name) ?? hash) !== hash) {
      throw new BrokenBackupError(`${name} is damaged or missing`);
    }
  }
  const extra = [...found.keys()].find((name) => !promised.has(name));
  if (extra !== undefined || !found.has(productDatabase) || !found.has(backupLabel)) {
    throw new BrokenBackupError(`${extra ?? productDatabase} does not belong in a backup, or is missing`);
  }
}

/** Checks that the database is intact, that this version knows its schema, and that its files are present. */
function checkDatabase(stage: string, names: readonly string[]): void {
  const path = join(stage, productDatabase);
  const keys = readingDatabase(() => {
    checkSchema(path);
    return blobKeys(path);
  });
  const missing = keys.find((key) => !names.includes(blobFile(key)));
  if (missing !== undefined) {
    throw new BrokenBackupError(`${blobFile(missing)} is missing`);
  }
}

/** Runs `read` and reports an error of SQLite as a fault of the backup. */
function readingDatabase<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') {
      throw new BrokenBackupError(`${productDatabase} is damaged: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function checkSchema(path: string): void {
  const database = new DatabaseSync(path);
  try {
    const { integrity_check: state } = database.prepare('pragma integrity_check').get() ?? {};
    if (state !== 'ok') {
      throw new BrokenBackupError(`${productDatabase} is damaged: ${String(state)}`);
    }
    for (const { name } of database.prepare('select name from kysely_migration').all()) {
      if (!(String(name) in migrations)) {
        throw new BrokenBackupError('it was made by a newer version: restore it with that version');
      }
    }
  } finally {
    database.close();
  }
}

/**
 * Moves the files into place, the product's database last: a server does not use the folder before that file exists.
 * If a move fails, the moved files are removed.
 */
async function moveIn(stage: string, folder: string, names: readonly string[]): Promise<void> {
  const inOrder = [...names.filter((name) => name !== productDatabase), productDatabase];
  const moved: string[] = [];
  try {
    for (const name of inOrder) {
      const target = join(folder, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(join(stage, name), target);
      moved.push(target);
      await syncFolder(dirname(target));
    }
  } catch (error) {
    await Promise.all(moved.map((path) => rm(path, { force: true })));
    throw error;
  }
}
