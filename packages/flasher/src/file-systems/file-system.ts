/** The interface that LittleFS, SPIFFS and FAT share: files and folders of an image in memory, changed in place. */
import type { FlashRange } from '../core/region.ts';
import type { FileSystemFinding } from './findings.ts';

/**
 * `damaged`: parts of the file cannot be found, so reading fails. `wrong-length`: the stated length does not fit the data;
 * reading returns the data that exists.
 */
export type EntryFault = 'damaged' | 'wrong-length';

export type FileSystemKind = 'littlefs' | 'spiffs' | 'fat';

/** Names of the kinds for people. */
export const fileSystemNames = {
  littlefs: 'LittleFS',
  spiffs: 'SPIFFS',
  fat: 'FAT',
} satisfies Record<FileSystemKind, string>;

/** Files that operating systems put into folders by themselves. No firmware wants them. */
const systemFiles = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$/;

export const isSystemFile = (path: string): boolean => systemFiles.test(path);

export interface FileEntry {
  /** Absolute, with slashes: `/www/index.html`. A SPIFFS name without a slash in front is shown without one. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Length in bytes; 0 for folders. */
  readonly size: number;
  /** Null for an intact file or folder. */
  readonly fault: EntryFault | null;
}

/** Space in bytes, as the file system's own driver counts it: whole blocks or pages. */
export interface FileSystemUsage {
  readonly used: number;
  readonly total: number;
}

/** A file for a new image. Parent folders are made as needed. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * A mounted file system. Each change is complete or, if it throws, leaves the image as it was. Paths may be given with or
 * without the slash in front. All methods throw `FileSystemError` and nothing else.
 */
export interface FileSystem {
  readonly kind: FileSystemKind;
  /** Version or parameters for people: `LittleFS 2.1, 256 blocks of 4,096 bytes`. */
  readonly title: string;
  /** Bytes a name may have: of one part of the path, for SPIFFS of the whole path. UTF-16 units for FAT. */
  readonly longestName: number;
  /** True: every change is refused with `damaged`, except `format`. */
  readonly isReadOnly: boolean;
  /** True: folders exist by themselves. False: a folder is a part of names. */
  readonly hasFolders: boolean;
  /** True: names that differ only in upper and lower case are the same. */
  readonly ignoresCase: boolean;
  /** Unusual facts, as they were when the image was opened. */
  readonly findings: readonly FileSystemFinding[];
  /** The image with all changes. Belongs to the file system: copy it to keep it. */
  readonly image: Uint8Array;

  /** Returns all files and folders. A folder comes before its contents. */
  list(): FileEntry[];
  /** @throws FileSystemError with `not-found`, `not-a-file` or `file-damaged`. */
  read(path: string): Uint8Array;
  /**
   * Creates or replaces a file, and makes missing parent folders.
   *
   * @throws FileSystemError with `full` and the codes of names and paths.
   */
  write(path: string, bytes: Uint8Array): void;
  /** Renames or moves a file or folder. An existing target is refused with `exists`. */
  rename(from: string, to: string): void;
  /** Removes a file, or a folder with all of its contents. */
  remove(path: string): void;
  /** Makes a folder and its missing parents. @throws FileSystemError with `no-empty-folders` for SPIFFS. */
  makeDirectory(path: string): void;
  usage(): FileSystemUsage;
  /**
   * Removes everything, and fills the partition. Keeps block size and version.
   *
   * @throws FileSystemError with `size-unusable`.
   */
  format(): void;
  /**
   * Returns the 4 KiB sectors that differ from the image as it was opened, adjacent ones joined, in the order in which
   * they are to be written. LittleFS: contents first, then the metadata that refer to them, the root folder last.
   */
  changedSectors(): FlashRange[];
}
