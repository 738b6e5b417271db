/** Checks the bytes under one key: their presence, and their hash. */
import { createHash } from 'node:crypto';
import { BlobDamagedError, BlobMissingError, type BlobStore, hashOfKey } from './blob-store.ts';

export type BlobFault = 'missing' | 'damaged';

export interface KeptBlob {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** Returns the fault that an error means; null for an error that is not about the bytes. */
export function blobFaultOf(error: unknown): BlobFault | null {
  return error instanceof BlobMissingError ? 'missing' : error instanceof BlobDamagedError ? 'damaged' : null;
}

/**
 * Returns the fault of the bytes; null if they are intact. Rejects with `BlobStoreUnavailableError` if they cannot be
 * read.
 */
export async function inspectBlob(store: BlobStore, { key, size }: KeptBlob): Promise<BlobFault | null> {
  try {
    const hash = createHash('sha256');
    for await (const piece of await store.open(key, size)) {
      hash.update(piece as Uint8Array);
    }
    return hash.digest('hex') === hashOfKey(key) ? null : 'damaged';
  } catch (error) {
    const fault = blobFaultOf(error);
    if (fault === null) {
      throw error;
    }
    return fault;
  }
}
