/**
 * Storage of firmware bytes: the interface of the folder store and the S3 store, and their errors. Both receive
 * complete files that `spool.ts` has written and hashed. The ledger decides which keys are needed.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { SpooledFile } from './spooled-file.ts';

/** Both ends are inclusive and within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An entry in the list of a store. */
export interface StoredBlob {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the Unix epoch, by the store's clock. */
  readonly storedAt: number;
}

interface DownloadOptions {
  /** Value of `Content-Disposition`. */
  readonly disposition: string;
  /** Seconds that the address is valid. */
  readonly seconds: number;
}

/** Every call rejects with `BlobStoreUnavailableError` while the store is unavailable or full. */
export interface BlobStore {
  /**
   * Stores `file` under `key`. Resolves when all of it survives a crash. A partial file is never visible under `key`.
   * Storing the same bytes again succeeds. The spooled file may be moved away.
   */
  keep(key: string, file: SpooledFile): Promise<void>;
  /**
   * Returns a stream of the `size` bytes under `key`, or of a range of them. Rejects with `BlobMissingError` if there
   * are no bytes, with `BlobDamagedError` for another size. The stream fails if it ends early.
   */
  open(key: string, size: number, range?: ByteRange): Promise<Readable>;
  /** Returns the number of bytes under `key`. Rejects with `BlobMissingError` if the key has no bytes. */
  sizeOf(key: string): Promise<number>;
  /** Lists all entries with a valid key, in no particular order. Other files are not the store's and are left out. */
  list(): AsyncIterable<StoredBlob>;
  /** Removes the bytes. Resolves when nothing is left under `key`. */
  remove(key: string): Promise<void>;
  /** Rejects if the store is unusable. */
  check(): Promise<void>;
  /** Null if browsers cannot reach the store. */
  readonly downloads: Downloads | null;
}

/** Direct downloads from the store. */
export interface Downloads {
  /** Returns an address from which anyone can GET the bytes under `key` for a while. It sends no request. */
  addressOf(key: string, options: DownloadOptions): Promise<string>;
  /** Rejects with a sentence that explains why pages of `origin` cannot read such addresses (CORS). */
  checkAccessFrom(origin: string): Promise<void>;
}

const KEY = /^([\da-f]{64})\.[\da-f]{12}$/;

/** Returns the SHA-256 of the bytes under `key`, in lower-case hex; null for an invalid key. */
export function hashOfKey(key: string): string | null {
  return KEY.exec(key)?.[1] ?? null;
}

/**
 * Returns a new key for bytes with this SHA-256 (lower-case hex). Keys are used once: bytes that return after their
 * removal get another key, so that a pending removal cannot affect them.
 */
export function newBlobKey(sha256: string): string {
  return `${sha256}.${randomBytes(6).toString('hex')}`;
}

/**
 * Returns the path of `key` below a root, with `/`. It has two levels, so that folders stay small.
 *
 * @throws TypeError for an invalid key.
 */
export function blobPath(key: string): string {
  if (!KEY.test(key)) {
    throw new TypeError(`${JSON.stringify(key)} is not the key of a blob`);
  }
  return `${key.slice(0, 2)}/${key}`;
}

/** Faults of an S3 store that an operator has to correct. */
export type StoreFault = 'no-bucket' | 'wrong-clock' | 'keys-refused';

const faultText = {
  'no-bucket': 'The bucket of the file store does not exist',
  'wrong-clock': 'The clocks of this server and of its file store differ too much',
  'keys-refused': 'The file store refuses the keys of this server',
} as const satisfies Record<StoreFault, string>;

/** The store is unavailable or full. No partial bytes are kept. */
export class BlobStoreUnavailableError extends Error {
  readonly reason: 'away' | 'full';
  /** Null if a retry may help, or if nothing more is known. */
  readonly fault: StoreFault | null;

  constructor(
    reason: 'away' | 'full',
    { fault = null, ...options }: ErrorOptions & { readonly fault?: StoreFault | null },
  ) {
    const usual = reason === 'full' ? 'The file store is full' : 'The file store is not available at the moment';
    super(fault === null ? usual : faultText[fault], options);
    this.name = 'BlobStoreUnavailableError';
    this.reason = reason;
    this.fault = fault;
  }
}

/** The bytes under a key differ from those that were stored. */
export class BlobDamagedError extends Error {
  constructor(key: string, detail: string, options?: ErrorOptions) {
    super(`The bytes under ${key} are damaged: ${detail}`, options);
    this.name = 'BlobDamagedError';
  }
}

/** A key has no bytes. */
export class BlobMissingError extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`The store has no bytes under ${key}`, options);
    this.name = 'BlobMissingError';
  }
}
