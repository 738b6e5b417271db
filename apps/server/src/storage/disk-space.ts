/**
 * Space on the disk of an SQLite database. Deleting frees a full disk, but SQLite writes before it deletes: into its
 * write-ahead log, and from there into the database. Therefore a file holds a reserve, which is released for
 * deletions. Until it can be held again, nothing else may use the space. The full-disk plugin decides which requests
 * are refused.
 */
import { randomBytes } from 'node:crypto';
import { constants, open, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@wirebench/clock';
import { systemErrorCode } from './blobs/disk.ts';

export interface DiskSpace {
  /** Returns true if there is no space for new data. Measures the disk at most once per second. */
  isFull(): Promise<boolean>;
  /** Reports that an operation failed because the disk is full. A quota may cause this without being measurable. */
  noticeFull(): void;
  /** Releases the reserve for the next deletion, if the disk is full. */
  makeRoomForDeleting(): Promise<void>;
  /** Registers a listener for changes between full and not full. It is called at once if the disk is already full. */
  onChange(listener: (isFull: boolean) => void): void;
}

export interface DiskSpaceOptions {
  /** Folder of the database. */
  readonly folder: string;
  readonly clock: Clock;
}

/**
 * Bytes of the reserve. The log grows to 4 MB before SQLite moves it into the database (1,000 pages,
 * "wal_autocheckpoint"), which may grow by as much. On a small disk, the reserve is an eighth of it.
 */
const RESERVE = 8 * 1_024 * 1_024;
const SMALL_DISK_SHARE = 1 / 8;
/** Share of the reserve. Less free space than this counts as full. */
const MARGIN = 1 / 4;

const FILE = 'reserve-for-deleting';
const PIECE = 1_024 * 1_024;

/** Milliseconds that a measurement is valid. */
const LOOK_LIFE = 1_000;
/** Milliseconds for which the disk counts as full after a failure caused by it. */
const NOTICE_LIFE = 10_000;

/**
 * Creates the reserve. If the disk is already full, it releases an existing one, so that the database can be opened.
 */
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

  /** Simultaneous callers share one measurement. */
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

/** Returns the bytes that this process may still write to the disk of `folder`. */
export async function freeBytesOf(folder: string): Promise<number> {
  return (await measureDisk(folder)).free;
}

/** Measures the disk in bytes. `free` is the space that this process may use. */
export async function measureDisk(folder: string): Promise<{ readonly free: number; readonly size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Returns the size; 0 if the file does not exist. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ignoreMissing))?.size ?? 0;
}

function ignoreMissing(error: unknown): null {
  if (systemErrorCode(error) === 'ENOENT') {
    return null;
  }
  throw error;
}

/** Fills the file to `size`. Returns false if the disk has too little space. Several processes may do so at once. */
async function hold(path: string, size: number): Promise<boolean> {
  // Random bytes, because a file system with compression would reserve nothing for a pattern.
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
