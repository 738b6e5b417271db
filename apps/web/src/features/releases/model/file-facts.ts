/** Facts from the bytes of a firmware file, seen together with the other files of its version. */
export interface FileFacts {
  /** `Bootloader for ESP32-S3, ESP-IDF v5.1` */
  readonly what: string;
  /** Reason for its offset, or for an unknown offset. One sentence. */
  readonly why: string;
  /** Flash address in bytes; null when the bytes do not tell. */
  readonly offset: number | null;
}

/** Facts from all files of a version. */
export interface FilesRead {
  readonly byFile: FactsByFile;
  /** Points to check before publishing, one sentence each. */
  readonly warnings: readonly string[];
}

/** By file: what was not read yet is not in it. */
export type FactsByFile = ReadonlyMap<File, FileFacts>;
