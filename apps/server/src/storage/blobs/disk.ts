/** Files that survive a crash, and what their errors mean to a store. */
import { open } from 'node:fs/promises';
import { BlobStoreUnavailableError } from './blob-store.ts';

/** No space left, quota used up (errno.h). */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Runs `action` and throws `BlobStoreUnavailableError` in place of the system's error. */
export async function onDisk<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === null ? error : new BlobStoreUnavailableError(FULL.has(code) ? 'full' : 'away', { cause: error });
  }
}

/** Writes the entries of `folder` through to the disk: a rename is only safe once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and its file systems keep a journal of their own for names.
  if (process.platform === 'win32') {
    return;
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `ENOENT` and the like; null for errors that are not the system's. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}
