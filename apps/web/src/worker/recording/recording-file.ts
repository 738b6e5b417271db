/** A file that a recording writes to. Implemented in place, if a worker supports it, and through a stream. */
export interface RecordingFile {
  readonly name: string;
  /** True: flushed bytes survive a crash of the tab. */
  readonly durable: boolean;
  /** Appends all of `bytes`, which the caller may reuse afterwards. Throws the browser's error. */
  write(bytes: Uint8Array<ArrayBuffer>): void;
  /** Requests that everything written goes to the disk. */
  flush(): void;
  /** Rejects if the file lacks bytes that were written. */
  close(): Promise<void>;
}

/** Creates an empty file of that name, or rejects. */
export type OpenRecordingFile = (name: string) => Promise<RecordingFile>;
