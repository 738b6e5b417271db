/**
 * A backup of an embedded start, made while the server runs: the databases as they were at one moment, every file that they
 * name, the keys of the embedded sign-in; one archive. Reads `DATA_DIR` and asks no server.
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
import { openStage } from './stage.ts';
import { TarWriter } from './tar.ts';

export interface BackupOptions {
  readonly dataDir: string;
  /** Where the archive goes; there must be nothing yet. */
  readonly file: string;
  readonly clock?: Clock;
}

export interface BackupSummary {
  readonly file: string;
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
}

/** Times that the databases are copied anew because a file went while the copy was looked through. */
const ATTEMPTS = 20;

/** SQLite copies all pages in one step then: it would begin again after every write of the server otherwise. */
const ALL_PAGES = 2 ** 31 - 1;

/** Throws a `StartError` that says what to do when there is nothing to back up or no place to put it. */
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
    await using stage = await openStage(folder, clock.now());
    const names = await gather(folder, stage.path);
    const summary = await writeArchive(stage.path, names, draft, clock.now());
    await appear(draft, target);
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
 * Puts everything that belongs together into `stage` and returns the names. Files are taken hold of before the database is
 * copied, so that what goes meanwhile is still there, and once more after it, for what came meanwhile.
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

/** Readers do not hold up writers, nor the other way round: the write-ahead log keeps what this copy began with. */
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
 * Links instead of copies: they cost nothing, and keep the bytes when the server removes its own name for them. All in one go,
 * since what takes long gives the server time to remove more. False when one is not there any more.
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
    // A file system without links.
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

/** Under its name only when it is whole, and never in place of another file. */
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
