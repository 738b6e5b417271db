/** What share links lead to: the kinds of them, and a file as it is stored. */

export type SharedType = 'project' | 'version';

/** A file and where its bytes are. */
export interface StoredFile {
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Key in the file store. */
  readonly key: string;
}
