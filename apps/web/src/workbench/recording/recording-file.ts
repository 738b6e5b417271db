/** A file that a recording is written to. Two kinds implement it: one for a worker, one for a page. */
export interface RecordingFile {
  readonly name: string;
  /** Appends all of `bytes`, which may be reused afterwards. Throws what the browser throws when it cannot. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  /** Asks the system to put everything written on the disk. */
  flush(): void;
  close(): Promise<void>;
}

/** Makes an empty file of that name, or throws. */
export type OpenRecordingFile = (name: string) => Promise<RecordingFile>;
