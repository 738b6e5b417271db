/** Keeps the tests' temporary files in memory if the system offers it, because they create thousands of small files. */
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux's file system in memory. */
const SHARED_MEMORY = '/dev/shm';
/** Type of a file system in memory (statfs(2), `TMPFS_MAGIC`). */
const TMPFS = 0x0102_1994;
/** Required free bytes. The largest tests upload some hundred megabytes at once. */
const ENOUGH = 4 * 1_024 ** 3;

/**
 * Makes processes started from now on keep their temporary files in memory, and removes these at exit. Does nothing
 * if `TMPDIR` is set, or if no file system in memory has enough room.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isRoomy(SHARED_MEMORY)) {
    return;
  }
  removeLeftOvers();
  const folder = join(SHARED_MEMORY, `wirebench-${process.pid}`);
  // PostgreSQL's user must be able to enter the folder.
  mkdirSync(folder, { mode: 0o755 });
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) {
    return false;
  }
  const { type, bavail, bsize } = statfsSync(folder);
  return type === TMPFS && bavail * bsize >= ENOUGH;
}

/** Removes the folders of killed runs. */
function removeLeftOvers(): void {
  for (const name of readdirSync(SHARED_MEMORY)) {
    const id = /^wirebench-(\d+)$/.exec(name)?.[1];
    if (id !== undefined && !existsSync(`/proc/${id}`)) {
      rmSync(join(SHARED_MEMORY, name), { recursive: true, force: true });
    }
  }
}
