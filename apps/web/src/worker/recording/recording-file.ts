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
  /** Closes the file and deletes it. */
  discard(): Promise<void>;
}

/**
 * Creates an empty file of that name. Rejects with an `InvalidModificationError` if the name is taken, and with a
 * `NoModificationAllowedError` if another tab is writing it.
 *
 * @param folder Folder that the user has chosen. Null: the site's folder for recordings.
 */
export type OpenRecordingFile = (name: string, folder: FileSystemDirectoryHandle | null) => Promise<RecordingFile>;
