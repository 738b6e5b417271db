/**
 * Where firmware bytes are kept: the interface of the folder and of the S3 store, and how either fails. Both are given whole
 * files that `spool.ts` has written and hashed. What a key is good for, and when its bytes may go, is decided elsewhere.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { SpooledFile } from './spooled-file.ts';

/** Both ends are included and are inside the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What a store holds under a key. */
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
  /** How long the address is good. */
  readonly seconds: number;
}

/** Every call rejects with `BlobStoreUnavailableError` while the store is away or full. */
export interface BlobStore {
  /**
   * Resolves when `file` will survive a crash under `key`, whole; nothing is ever there under `key` but all of it. Doing so
   * again with the same bytes is no error. The spooled file may be gone afterwards.
   */
  keep(key: string, file: SpooledFile): Promise<void>;
  /**
   * A stream of the `size` bytes under `key`, or of a part of them. Rejects with `BlobMissingError` when there are none, with
   * `BlobDamagedError` when there are more or fewer. The stream fails when it cannot give all that was asked for.
   */
  open(key: string, size: number, range?: ByteRange): Promise<Readable>;
  /** How many bytes there are under `key`. Rejects with `BlobMissingError` when there are none. */
  sizeOf(key: string): Promise<number>;
  /** Everything in the store that has a key, in no order. What has none is not ours and is left out. */
  list(): AsyncIterable<StoredBlob>;
  /** Resolves when nothing is under `key` any more. */
  remove(key: string): Promise<void>;
  /** Rejects when the store cannot be used. */
  check(): Promise<void>;
  /** Null where browsers do not reach the store. */
  readonly downloads: Downloads | null;
}

/** How browsers get bytes from the store itself. */
export interface Downloads {
  /** An address where the bytes under `key` are found for a while, by GET and by whoever has it. Asks nobody. */
  addressOf(key: string, options: DownloadOptions): Promise<string>;
  /** Rejects with a sentence that says what keeps pages of `origin` from reading such addresses (CORS). */
  checkAccessFrom(origin: string): Promise<void>;
}

const KEY = /^([\da-f]{64})\.[\da-f]{12}$/;

/** The SHA-256 that the bytes under `key` have to have, in lower-case hex; null for what is no key. */
export function hashOfKey(key: string): string | null {
  return KEY.exec(key)?.[1] ?? null;
}

/**
 * A new key for bytes with this SHA-256 (lower-case hex). Keys are used once: bytes that come back after they were removed
 * get another one, so that a removal which is still on its way can never hit them.
 */
export function newBlobKey(sha256: string): string {
  return `${sha256}.${randomBytes(6).toString('hex')}`;
}

/** Path of `key` below a root, with `/`: two levels, so that no folder grows large. Throws on anything that is no key. */
export function blobPath(key: string): string {
  if (!KEY.test(key)) {
    throw new TypeError(`${JSON.stringify(key)} is not the key of a blob`);
  }
  return `${key.slice(0, 2)}/${key}`;
}

/** What an operator has to put right before an S3 store can be used. */
export type StoreFault = 'no-bucket' | 'wrong-clock' | 'keys-refused';

const faultText = {
  'no-bucket': 'The bucket of the file store does not exist',
  'wrong-clock': 'The clocks of this server and of its file store differ too much',
  'keys-refused': 'The file store refuses the keys of this server',
} as const satisfies Record<StoreFault, string>;

/** The store cannot be used at the moment, or takes no more; nothing half is kept. */
export class BlobStoreUnavailableError extends Error {
  readonly reason: 'away' | 'full';
  /** Null where waiting may help, or nothing more is known. */
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

/** The bytes under a key are not the ones that were kept there. */
export class BlobDamagedError extends Error {
  constructor(key: string, detail: string, options?: ErrorOptions) {
    super(`The bytes under ${key} are damaged: ${detail}`, options);
    this.name = 'BlobDamagedError';
  }
}

/** There are no bytes under a key. */
export class BlobMissingError extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`There are no bytes under ${key}`, options);
    this.name = 'BlobMissingError';
  }
}
