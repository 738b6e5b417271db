/** A file that a spool passes to a store. */

/** A complete file on the disk, until its disposal. */
export interface SpooledFile extends AsyncDisposable {
  readonly path: string;
  /**
   * Resolves when the bytes survive a crash. Rejects with `BlobStoreUnavailableError` if they cannot be written to
   * the disk.
   */
  readonly safe: Promise<void>;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
}
