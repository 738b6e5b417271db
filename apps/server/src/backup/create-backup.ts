/**
 * Creates a backup of an embedded server while it runs. One archive holds the databases as of one moment, every file
 * that they name, and the keys of the embedded sign-in. It reads `DATA_DIR` and does not contact the server.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@wirebench/clock';
import manifest from '../../package.json' with { type: 'json' };
import { StartError } from '../start-error.ts';
import { syncFolder, systemErrorCode } from '../storage/blobs/disk.ts';
import { reasonOf } from '../storage/failure-reason.ts';
import { blobKeys } from './blob-keys.ts';
import {
  backupHashes,
  backupLabel,
  blobFile,
  blobFolder,
  identityDatabase,
  identityKeys,
  productDatabase,
  promisedHash,
} from './data-files.ts';
import { noteBackup } from './last-backup.ts';
import { openStage } from './stage.ts';
import { TarWriter } from './tar.ts';

export interface BackupOptions {
  readonly dataDir: string;
  /** Path of the new archive. The file must not exist yet. */
  readonly file: string;
  readonly clock?: Clock;
}

export interface BackupSummary {
  readonly file: string;
  readonly files: number;
  /** Sum over all files. */
  readonly bytes: number;
}

/** Number of attempts. The databases are copied again when a file disappears after they were copied. */
const ATTEMPTS = 20;

/** SQLite then copies all pages in one step. In several steps it would restart after every write of the server. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Creates a backup.
 *
 * @throws StartError with the remedy, if there is nothing to back up or the archive cannot be written.
 */
export async function createBackup({ dataDir, file, clock = systemClock }: BackupOptions): Promise<BackupSummary> {
  const folder = resolve(dataDir);
  const target = resolve(file);
  if (!existsSync(join(folder, productDatabase))) {
    throw new StartError([`There is nothing to back up in ${folder}: set DATA_DIR to the server's data folder.`]);
  }
  if (existsSync(target)) {
    throw new StartError([`${target} already exists: choose another name, or move that file.`]);
  }
  const draft = `${target}.part`;
  try {
    await using stage = await openStage(folder, clock.wallTime());
    const names = await gather(folder, stage.path);
    const summary = await writeArchive(stage.path, names, draft, clock.wallTime());
    await appear(draft, target);
    await noteBackup(folder, {
      at: new Date(clock.wallTime()).toISOString(),
      files: summary.files,
      bytes: summary.bytes,
    });
    return { ...summary, file: target };
  } catch (error) {
    await rm(draft, { force: true });
    throw error instanceof StartError || systemErrorCode(error) === null
      ? error
      : new StartError(
          [`${target} cannot be written (${reasonOf(error)}): free some space, or choose another location.`],
          {
            cause: error,
          },
        );
  }
}

/**
 * Collects everything that belongs together in `stage` and returns the names. Files are linked before the database is
 * copied, so that files removed afterwards are kept. They are linked again after it, to include files added in
 * between.
 */
async function gather(folder: string, stage: string): Promise<readonly string[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    linkAll(folder, stage, storedBlobs(folder));
    await snapshot(join(folder, productDatabase), join(stage, productDatabase));
    const blobs = blobKeys(join(stage, productDatabase)).map(blobFile);
    if (linkAll(folder, stage, blobs)) {
      const identity = await gatherIdentity(folder, stage);
      return [productDatabase, ...identity, ...blobs];
    }
  }
  throw new StartError([
    `Files in ${folder} are missing, or disappear before they can be copied: start the server once, read its log, and try again.`,
  ]);
}

async function gatherIdentity(folder: string, stage: string): Promise<readonly string[]> {
  const names: string[] = [];
  if (existsSync(join(folder, identityDatabase))) {
    await snapshot(join(folder, identityDatabase), join(stage, identityDatabase));
    names.push(identityDatabase);
  }
  if (existsSync(join(folder, identityKeys))) {
    await copyFile(join(folder, identityKeys), join(stage, identityKeys));
    names.push(identityKeys);
  }
  return names;
}

/**
 * Copies a database. Readers and writers do not block each other: the write-ahead log preserves the state at the
 * start of the copy.
 */
async function snapshot(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  const database = new DatabaseSync(from);
  try {
    await backup(database, to, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}

function storedBlobs(folder: string): readonly string[] {
  const root = join(folder, blobFolder);
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return entries
    .map((entry) => `${blobFolder}/${entry.split(sep).join('/')}`)
    .filter((name) => promisedHash(name) !== null);
}

/**
 * Links files instead of copying them: a link costs nothing and keeps the bytes when the server removes its own name
 * for them. It is synchronous, because a slow pass gives the server time to remove more. Returns false if a file is
 * missing.
 */
function linkAll(folder: string, stage: string, names: readonly string[]): boolean {
  let complete = true;
  for (const name of names) {
    const [from, to] = [join(folder, name), join(stage, name)];
    mkdirSync(dirname(to), { recursive: true });
    complete = linkOrCopy(from, to) && complete;
  }
  return complete;
}

function linkOrCopy(from: string, to: string): boolean {
  if (existsSync(to)) {
    return true;
  }
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') {
      return false;
    }
    // The file system does not support links.
    copyFileSync(from, to);
    return true;
  }
}

async function writeArchive(stage: string, names: readonly string[], draft: string, now: number) {
  const file = await open(draft, 'w', 0o600);
  try {
    const tar = new TarWriter(file, now);
    const hashes: string[] = [];
    let bytes = 0;
    const add = async (name: string, size: number, content: AsyncIterable<Buffer> | Iterable<Buffer>) => {
      const hash = createHash('sha256');
      await tar.add({ name, size }, hashing(content, hash));
      hashes.push(`${hash.digest('hex')}  ${name}\n`);
      bytes += size;
    };
    const label = Buffer.from(`${JSON.stringify(labelOf(now), null, 2)}\n`);
    await add(backupLabel, label.length, [label]);
    for (const name of names) {
      const source = await open(join(stage, name), 'r');
      await add(name, (await source.stat()).size, source.createReadStream());
    }
    const sums = Buffer.from(hashes.join(''));
    await tar.add({ name: backupHashes, size: sums.length }, [sums]);
    await tar.end();
    await file.sync();
    return { files: names.length, bytes };
  } finally {
    await file.close();
  }
}

function labelOf(now: number) {
  return { product: 'wirebench', format: 1, version: manifest.version, createdAt: new Date(now).toISOString() };
}

async function* hashing(content: AsyncIterable<Buffer> | Iterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Gives the finished archive its name and never replaces an existing file. */
async function appear(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
    await rm(draft);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') {
      throw error;
    }
    await rename(draft, target);
  }
  await syncFolder(dirname(target));
}
