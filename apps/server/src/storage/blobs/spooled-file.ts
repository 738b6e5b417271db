/** What a spool hands on and a store takes over. */

/** A whole file on the disk, until its disposal. */
export interface SpooledFile extends AsyncDisposable {
  readonly path: string;
  /** Resolves when its bytes survive a crash; rejects with `BlobStoreUnavailableError` when the disk does not take them. */
  readonly safe: Promise<void>;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}
