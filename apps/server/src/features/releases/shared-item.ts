/** Targets of share links: their kinds, and stored files. */

export type SharedType = 'project' | 'version';

/** A file and the key of its bytes. */
export interface StoredFile {
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Key in the file store. */
  readonly key: string;
}
