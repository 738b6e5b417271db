/** Where the tests keep what they throw away: in memory where the system offers it, because they make thousands of small files. */
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux's own file system in memory. */
const SHARED_MEMORY = '/dev/shm';
/** Of a file system in memory (statfs(2), `TMPFS_MAGIC`). */
const TMPFS = 0x0102_1994;
/** Bytes; the largest tests upload some hundred megabytes at once. */
const ENOUGH = 4 * 1_024 ** 3;

/**
 * Makes the processes that are started from now on keep their temporary files in memory, and removes those in the end. Nothing
 * happens where `TMPDIR` says another place, or where there is no file system in memory with enough room.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isRoomy(SHARED_MEMORY)) {
    return;
  }
  removeLeftOvers();
  const folder = join(SHARED_MEMORY, `wirebench-${process.pid}`);
  // PostgreSQL's user has a folder in it.
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

/** Of runs that were killed. */
function removeLeftOvers(): void {
  for (const name of readdirSync(SHARED_MEMORY)) {
    const id = /^wirebench-(\d+)$/.exec(name)?.[1];
    if (id !== undefined && !existsSync(`/proc/${id}`)) {
      rmSync(join(SHARED_MEMORY, name), { recursive: true, force: true });
    }
  }
}
