/**
 * Room on the disk of an SQLite database. Deleting is the way out of a full disk, and SQLite writes before it deletes: into its
 * write-ahead log, and from there into the database. So a reserve is held in a file, and given up to whoever deletes; until
 * there is room to hold it again, nothing else may grow into it. What is refused meanwhile is decided elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { constants, open, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { systemErrorCode } from './blobs/disk.ts';

export interface DiskSpace {
  /** Whether there is no room for anything new. Looks at the disk at most once a second. */
  isFull(): Promise<boolean>;
  /** Something failed because the disk is full, which a quota may cause that cannot be looked at. */
  noticeFull(): void;
  /** When the disk is full, gives up the reserve to what is deleted next. */
  makeRoomForDeleting(): Promise<void>;
  /** Called when the disk fills up, and when there is room again; at once when it is full already. */
  onChange(listener: (isFull: boolean) => void): void;
}

export interface DiskSpaceOptions {
  /** Of the database. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Bytes of the reserve: the log grows to 4 MB before SQLite empties it into the database (1,000 pages, "wal_autocheckpoint"),
 * which may grow by as much. Of a small disk an eighth.
 */
const RESERVE = 8 * 1_024 * 1_024;
const SMALL_DISK_SHARE = 1 / 8;
/** Of the reserve: less room than this is none. */
const MARGIN = 1 / 4;

const FILE = 'reserve-for-deleting';
const PIECE = 1_024 * 1_024;

/** Milliseconds for which one look at the disk is good. */
const LOOK_LIFE = 1_000;
/** Milliseconds for which the disk counts as full after something failed because of it. */
const NOTICE_LIFE = 10_000;

/** Holds the reserve, or gives up one that is held when the disk is full already, so that the database can be opened. */
export async function openDiskSpace({ folder, clock }: DiskSpaceOptions): Promise<DiskSpace> {
  const path = join(folder, FILE);
  let isFull = false;
  const listeners: ((isFull: boolean) => void)[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let noticedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const disk = await measureDisk(folder);
    let { free } = disk;
    const wanted = Math.min(RESERVE, Math.floor(disk.size * SMALL_DISK_SHARE));
    const margin = wanted * MARGIN;
    let isHeld = (await sizeOf(path)) >= wanted;
    if (!isHeld && free >= wanted + 2 * margin && clock.now() >= noticedAt + NOTICE_LIFE) {
      isHeld = await hold(path, wanted);
      free -= wanted;
    }
    const wasFull = isFull;
    isFull = !isHeld || free < margin || clock.now() < noticedAt + NOTICE_LIFE;
    lookedAt = clock.now();
    if (isFull !== wasFull) {
      for (const listener of listeners) {
        listener(isFull);
      }
    }
  }

  /** Those who ask at the same time share one look. */
  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function makeRoomForDeleting(): Promise<void> {
    await lookOnce();
    if (isFull) {
      await truncate(path, 0).catch(ignoreMissing);
    }
  }

  await makeRoomForDeleting();
  return {
    async isFull() {
      if (clock.now() >= lookedAt + LOOK_LIFE) {
        await lookOnce();
      }
      return isFull;
    },

    noticeFull() {
      noticedAt = clock.now();
      lookedAt = Number.NEGATIVE_INFINITY;
    },

    makeRoomForDeleting,

    onChange(listener) {
      listeners.push(listener);
      if (isFull) {
        listener(isFull);
      }
    },
  };
}

/** Bytes that the disk of `folder` has for this process. */
export async function freeBytesOf(folder: string): Promise<number> {
  return (await measureDisk(folder)).free;
}

/** In bytes; `free` is what this process may still write. */
async function measureDisk(folder: string): Promise<{ readonly free: number; readonly size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** 0 where there is no such file. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ignoreMissing))?.size ?? 0;
}

function ignoreMissing(error: unknown): null {
  if (systemErrorCode(error) === 'ENOENT') {
    return null;
  }
  throw error;
}

/** Fills the file up; false when the disk does not take it. Several processes may do so at once. */
async function hold(path: string, size: number): Promise<boolean> {
  // Of no pattern, or a file system that compresses would hold nothing.
  const piece = randomBytes(PIECE);
  try {
    await using handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    for (let position = 0; position < size; position += PIECE) {
      const length = Math.min(PIECE, size - position);
      const { bytesWritten } = await handle.write(piece, 0, length, position);
      if (bytesWritten < length) {
        return false;
      }
    }
    return true;
  } catch (error) {
    if (systemErrorCode(error) === null) {
      throw error;
    }
    return false;
  }
}
