/** Facts from the bytes of a firmware file. They depend on the other files of its version. */
export interface FileFacts {
  /** `Bootloader for ESP32-S3, ESP-IDF v5.1` */
  readonly what: string;
  /** Reason for its offset, or for an unknown offset. One sentence. */
  readonly why: string;
  /** Flash address in bytes; null if the bytes do not determine it. */
  readonly offset: number | null;
}

/** Facts from all files of a version. */
export interface FilesRead {
  readonly byFile: FactsByFile;
  /** Points to check before publishing, one sentence each. */
  readonly warnings: readonly string[];
}

/** By file. Files that were not read yet are missing. */
export type FactsByFile = ReadonlyMap<File, FileFacts>;
