/**
 * Assets of earlier builds of the web app. A tab that was opened before an update loads its remaining scripts by the names
 * of its own build. Each server keeps a copy of what it serves in `DATA_DIR`, so that the next version finds it there.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { nullIfMissing } from '../storage/blobs/disk.ts';
import { freeBytesOf } from '../storage/disk-space.ts';

/** Vite adds a hash of the content to the names of all files in these folders. */
export const hashedFolders = ['assets', 'flash-button'] as const;

/** Builds that are kept, the current one included, and bytes of them in all. The most recently served ones stay. */
const MAX_BUILDS = 4;
const MAX_BYTES = 256 * 1_024 * 1_024;
/** Bytes that stay free on the disk. */
const RESERVE = 64 * 1_024 * 1_024;
/** Milliseconds after which a copy that was never finished is deleted. */
const ABANDONED_AFTER = 3_600_000;

const FOLDER = 'web-builds';
const UNFINISHED = /^copy-(\d+)-\d+$/;

export interface EarlierAssetsOptions {
  /** Folder of the current build. */
  readonly webRoot: string;
  readonly dataDir: string;
  readonly clock: Clock;
  /** Called when the current build could not be kept. */
  readonly onFailure: (error: unknown) => void;
}

export interface EarlierAssets extends AsyncDisposable {
  /** Returns the folder of the newest build that has the file, by its path such as `/assets/main-B1ab2Cd3.js`. */
  folderOf(path: string): Promise<string | null>;
  /** Resolves when the current build is kept, or cannot be. */
  readonly kept: Promise<void>;
}

/** Begins to keep the current build, and removes old ones. */
export function openEarlierAssets({ webRoot, dataDir, clock, onFailure }: EarlierAssetsOptions): EarlierAssets {
  const root = join(dataDir, FOLDER);
  const kept = keepBuild(webRoot, root, clock)
    .then(() => removeOld(root, clock))
    .catch(onFailure);
  return {
    kept,
    async folderOf(path) {
      const isAsset = new RegExp(`^/(${hashedFolders.join('|')})(/[\\w-][\\w.-]*)+(?<!\\.br|\\.gz)$`).test(path);
      if (!isAsset) {
        return null;
      }
      for (const { folder } of await buildsIn(root)) {
        if ((await factsOf(join(folder, path)))?.isFile() === true) {
          return folder;
        }
      }
      return null;
    },
    [Symbol.asyncDispose]: () => kept,
  };
}

async function keepBuild(webRoot: string, root: string, clock: Clock): Promise<void> {
  const files = await filesOf(webRoot);
  if (files.length === 0) {
    return;
  }
  const names = files.map(({ name, size }) => `${name} ${size}`).join('\n');
  const target = join(root, createHash('sha256').update(names).digest('hex').slice(0, 16));
  const now = clock.wallTime();
  if ((await factsOf(target)) === null) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    await mkdir(root, { recursive: true, mode: 0o700 });
    if (bytes > MAX_BYTES || (await freeBytesOf(root)) < bytes + RESERVE) {
      throw new Error(`The disk has no room for another ${Math.ceil(bytes / 1_048_576)} MB`);
    }
    const copy = join(root, `copy-${Math.floor(now)}-${process.pid}`);
    for (const folder of hashedFolders) {
      await cp(join(webRoot, folder), join(copy, folder), { recursive: true }).catch(nullIfMissing);
    }
    // Another process may have finished the same build.
    await rename(copy, target).catch(() => rm(copy, { recursive: true, force: true }));
  }
  await utimes(target, new Date(now), new Date(now)).catch(nullIfMissing);
}

async function removeOld(root: string, clock: Clock): Promise<void> {
  let bytes = 0;
  for (const [at, { folder }] of (await buildsIn(root)).entries()) {
    bytes += (await filesOf(folder)).reduce((sum, { size }) => sum + size, 0);
    // The newest one is the current build.
    if (at >= MAX_BUILDS || (at > 0 && bytes > MAX_BYTES)) {
      await rm(folder, { recursive: true, force: true });
    }
  }
  for (const name of await namesIn(root)) {
    if (Number(UNFINISHED.exec(name)?.[1]) < clock.wallTime() - ABANDONED_AFTER) {
      await rm(join(root, name), { recursive: true, force: true });
    }
  }
}

/** Returns the finished builds, the most recently served one first. */
async function buildsIn(root: string) {
  const builds = (await namesIn(root)).filter((name) => /^[\da-f]{16}$/.test(name)).map((name) => join(root, name));
  const dated = await Promise.all(
    builds.map(async (folder) => ({ folder, servedAt: (await factsOf(folder))?.mtimeMs ?? 0 })),
  );
  return dated.toSorted((a, b) => b.servedAt - a.servedAt);
}

async function filesOf(root: string): Promise<readonly { readonly name: string; readonly size: number }[]> {
  const files: { name: string; size: number }[] = [];
  for (const folder of hashedFolders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(nullIfMissing);
    for (const entry of entries ?? []) {
      const path = join(entry.parentPath, entry.name);
      const facts = entry.isFile() ? await factsOf(path) : null;
      if (facts !== null) {
        files.push({ name: path.slice(root.length), size: facts.size });
      }
    }
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(nullIfMissing)) ?? [];
const factsOf = (path: string) => stat(path).catch(nullIfMissing);
