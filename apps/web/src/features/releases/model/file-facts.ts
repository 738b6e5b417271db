/** What the bytes of a firmware file tell, seen together with the other files of its version. */
export interface FileFacts {
  /** `Bootloader for ESP32-S3, ESP-IDF v5.1` */
  readonly what: string;
  /** Why it goes where it goes, or why that is not known. One sentence. */
  readonly why: string;
  /** Flash address in bytes; null when the bytes do not tell. */
  readonly offset: number | null;
}

/** What the files of a version tell together. */
export interface FilesRead {
  readonly byFile: FactsByFile;
  /** What a person should look at before publishing, a sentence each. */
  readonly warnings: readonly string[];
}

/** By file: what was not read yet is not in it. */
export type FactsByFile = ReadonlyMap<File, FileFacts>;
