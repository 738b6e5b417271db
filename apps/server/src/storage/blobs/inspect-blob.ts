/** Looks at the bytes under one key: whether they are there, and whether they are the ones that were kept. */
import { createHash } from 'node:crypto';
import { BlobDamagedError, BlobMissingError, type BlobStore, hashOfKey } from './blob-store.ts';

export type BlobFault = 'missing' | 'damaged';

export interface KeptBlob {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** Null for a failure that says nothing about the bytes. */
export function blobFaultOf(error: unknown): BlobFault | null {
  return error instanceof BlobMissingError ? 'missing' : error instanceof BlobDamagedError ? 'damaged' : null;
}

/**
 * Null when all is well. `onRead` is called with each piece and may take its time before the next one is read. Rejects with
 * `BlobStoreUnavailableError` when nothing can be said.
 */
export async function inspectBlob(
  store: BlobStore,
  { key, size }: KeptBlob,
  onRead: (bytes: number) => Promise<void> | void = () => undefined,
): Promise<BlobFault | null> {
  try {
    const hash = createHash('sha256');
    for await (const piece of await store.open(key, size)) {
      hash.update(piece as Uint8Array);
      await onRead((piece as Uint8Array).length);
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
