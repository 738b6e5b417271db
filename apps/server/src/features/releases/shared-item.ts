/** Targets of share links: their kinds, and stored files. Owners of ELF files, and pictures. */

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

/** A picture and its media type. */
export interface StoredPicture extends StoredFile {
  readonly type: string;
}

/** The owner of an ELF file: a version, or one of its builds. */
export interface ElfPlace {
  /** The version. */
  readonly id: string;
  /** Null for the file of the version itself. */
  readonly buildId: string | null;
}
