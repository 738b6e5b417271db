/**
 * The parts of a data folder that go into a backup, and the files that a backup adds. Names use `/` on every system.
 */
import { blobPath } from '../storage/blobs/blob-store.ts';

/** Databases are copied through SQLite. The files beside them (`-wal`, `-shm`) belong to them. */
export const productDatabase = 'wirebench.sqlite';
export const identityDatabase = 'identity.sqlite';
export const identityKeys = 'identity-keys.json';

/** First entry of a backup: names the format and the time of creation. */
export const backupLabel = 'wirebench-backup.json';
/** Last entry of a backup, in the format of `sha256sum`: the hash of every file before it. */
export const backupHashes = 'SHA256SUMS';

export const blobFolder = 'firmware/blobs';

export function blobFile(key: string): string {
  return `${blobFolder}/${blobPath(key)}`;
}

/** Returns the SHA-256 that the name of a blob's file contains; null for other names. */
export function promisedHash(name: string): string | null {
  return /^firmware\/blobs\/([\da-f]{2})\/(\1[\da-f]{62})\.[\da-f]{12}$/.exec(name)?.[2] ?? null;
}

/** Returns true if a backup may put a file of this name into a data folder. */
export function isDataFile(name: string): boolean {
  return [productDatabase, identityDatabase, identityKeys].includes(name) || promisedHash(name) !== null;
}
