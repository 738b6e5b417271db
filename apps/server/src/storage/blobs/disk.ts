/** Crash-safe file operations, and the translation of system errors into those of a store. */
import { open } from 'node:fs/promises';
import { BlobStoreUnavailableError } from './blob-store.ts';

/** No space left, quota exceeded (errno.h). */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** There is no file: nothing has the name, a file has it that was taken for a folder, or no file can have it (errno.h). */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Runs `action` and turns system errors into `BlobStoreUnavailableError`. */
export async function onDisk<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const code = systemErrorCode(error);
    throw code === null ? error : new BlobStoreUnavailableError(FULL.has(code) ? 'full' : 'away', { cause: error });
  }
}

/** Flushes the entries of `folder` to the disk. A rename survives a crash only after that. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and its file systems have a journal for names.
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

/** Returns null for the error of a path at which no file is. Throws any other error. */
export function nullIfMissing(error: unknown): null {
  if (MISSING.has(systemErrorCode(error) ?? '')) {
    return null;
  }
  throw error;
}

/** Returns a code such as `ENOENT`; null for errors that are not the system's. */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}
