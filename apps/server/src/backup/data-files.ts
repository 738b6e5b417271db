/** What of a data folder goes into a backup, and the files that a backup adds. Names have `/` on every system. */
import { blobPath } from '../storage/blobs/blob-store.ts';

/** Databases are copied through SQLite; what else stands beside them (`-wal`, `-shm`) is part of them. */
export const productDatabase = 'wirebench.sqlite';
export const identityDatabase = 'identity.sqlite';
export const identityKeys = 'identity-keys.json';

/** First in a backup: what it is and when it was made. */
export const backupLabel = 'wirebench-backup.json';
/** Last in a backup, in the format of `sha256sum`: the hash of every file before it. */
export const backupHashes = 'SHA256SUMS';

export const blobFolder = 'firmware/blobs';

export function blobFile(key: string): string {
  return `${blobFolder}/${blobPath(key)}`;
}

/** The SHA-256 that the name of a blob's file promises; null for other names. */
export function promisedHash(name: string): string | null {
  return /^firmware\/blobs\/([\da-f]{2})\/(\1[\da-f]{62})\.[\da-f]{12}$/.exec(name)?.[2] ?? null;
}

/** Whether a backup may put a file of this name into a data folder. */
export function isDataFile(name: string): boolean {
  return [productDatabase, identityDatabase, identityKeys].includes(name) || promisedHash(name) !== null;
}
