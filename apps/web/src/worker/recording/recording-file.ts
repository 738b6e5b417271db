/** A file that a recording is written to. Two kinds implement it: in place, where a worker can, and through a stream. */
export interface RecordingFile {
  readonly name: string;
  /** True: flushed bytes survive a crash of the tab. */
  readonly durable: boolean;
  /** Appends all of `bytes`, which may be reused afterwards. Throws what the browser throws when it cannot. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  /** Asks for everything written to be put on the disk. */
  flush(): void;
  /** Rejects when the file does not hold all that was written. */
  close(): Promise<void>;
}

/** Makes an empty file of that name, or throws. */
export type OpenRecordingFile = (name: string) => Promise<RecordingFile>;
