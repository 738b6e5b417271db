/** Protocol between the page and the worker that reads and changes file systems. All values can be cloned between threads. */
import type { FlashRegion } from '@wirebench/flasher/core';
import type { EditedEntry, FileEdit, FileSystemKind, FileSystemUsage, NewFile } from '@wirebench/flasher/file-systems';

/** Sentence and remedy of an unusual fact or a failure. */
interface FileSystemNote {
  readonly code: string;
  readonly what: string;
  readonly remedy: string;
}

/** A mounted file system with its edits. */
export interface FileSystemState {
  /** Null: the partition holds no file system that can be read, and `fault` has the reason. */
  readonly kind: FileSystemKind | null;
  readonly fault: FileSystemNote | null;
  /** Version or parameters for people; empty without a file system. */
  readonly title: string;
  readonly isReadOnly: boolean;
  readonly hasFolders: boolean;
  readonly findings: readonly FileSystemNote[];
  readonly entries: readonly EditedEntry[];
  /** Null without a file system. */
  readonly usage: FileSystemUsage | null;
  /** Space in use on the board, in bytes. */
  readonly usedBefore: number;
  readonly isFormatted: boolean;
  /** True: the edits change the board. */
  readonly isChanged: boolean;
  /** Changed sectors, with offsets relative to the partition. */
  readonly changed: readonly FlashRegion[];
}

/** One file as it is with the edits. */
export interface FileContent {
  /** Up to the limit that was asked for. */
  readonly bytes: Uint8Array;
  /** Whole size in bytes. */
  readonly size: number;
  /** Contents on the board up to the limit; null for an added file and for one that cannot be read there. */
  readonly before: Uint8Array | null;
}

/** All files that can be read, with the paths of those that cannot, and of all folders. */
export interface AllFiles {
  readonly files: readonly NewFile[];
  readonly damaged: readonly string[];
  readonly folders: readonly string[];
}

/** Failures have the code of a `FileSystemFault` and its sentence with the remedy. */
export interface FileSystemApi {
  /**
   * Keeps the contents of a partition.
   * @param id Chosen by the caller, never reused.
   */
  open(id: number, contents: Uint8Array): void;
  /** Releases the contents. */
  close(id: number): void;
  /** Carries out the edits on a copy of the partition. An impossible edit leaves the state before. */
  apply(id: number, edits: readonly FileEdit[]): FileSystemState;
  /** Reads a file, or of a removed one the contents on the board. */
  read(id: number, path: string, limit: number): FileContent;
  readAll(id: number): AllFiles;
  /** Returns one line about a partition: `LittleFS, 14 files, 44 % full`. Null: no file system was recognised. */
  describe(contents: Uint8Array): string | null;
  /** Returns an image with these files, as large as the partition. */
  build(kind: FileSystemKind, size: number, files: readonly NewFile[]): Uint8Array;
}
