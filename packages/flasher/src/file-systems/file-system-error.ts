/** Failures of reading and changing a file system: a code for programs, and a sentence and a remedy for people. */
import type { FailureText } from '../core/flash-failure.ts';

export type FileSystemFault =
  | 'no-file-system'
  | 'littlefs-1'
  | 'newer-version'
  | 'superblock-damaged'
  | 'levelling-lost'
  | 'size-unusable'
  | 'damaged'
  | 'file-damaged'
  | 'not-found'
  | 'exists'
  | 'not-a-file'
  | 'not-a-folder'
  | 'into-itself'
  | 'name-unusable'
  | 'name-too-long'
  | 'path-too-long'
  | 'name-not-fat'
  | 'file-too-large'
  | 'no-empty-folders'
  | 'full';

export const fileSystemFaultText = {
  'no-file-system': {
    what: 'No LittleFS, no SPIFFS and no FAT was found here.',
    remedy: 'Check offset and size of the partition. A partition that was never mounted has to be formatted first.',
  },
  'littlefs-1': {
    what: 'This is LittleFS in its old disk version 1, which cannot be read here.',
    remedy: 'Let firmware with a LittleFS that can migrate mount it once, or format it.',
  },
  'newer-version': {
    what: 'This LittleFS has a newer disk version than 2.1 and cannot be read here.',
    remedy: 'Read it with the tools that belong to the firmware.',
  },
  'superblock-damaged': {
    what: 'This is a LittleFS, but its superblock is damaged.',
    remedy: 'Read the partition again. If that gives the same, only formatting helps.',
  },
  'levelling-lost': {
    what: 'This is FAT with wear levelling, but the state that says in which order its sectors are is damaged or of ESP-IDF before 3.0.',
    remedy: 'Read the partition again. If that gives the same, only formatting helps.',
  },
  'size-unusable': {
    what: 'A file system of this kind cannot have this size.',
    remedy: 'It needs a whole number of blocks: at least 2 for LittleFS, 3 for SPIFFS, 8 for FAT.',
  },
  damaged: {
    what: 'The file system is damaged. It can be read, but a change could destroy more of it.',
    remedy: 'Download the files that can still be read, then format it.',
  },
  'file-damaged': {
    what: 'Parts of this file are missing or damaged.',
    remedy: 'Read the partition again. If that gives the same, what was in it is lost.',
  },
  'not-found': { what: 'There is no file and no folder with this name.', remedy: 'Read the partition again.' },
  exists: { what: 'There is already a file or folder with this name.', remedy: 'Choose another name.' },
  'not-a-file': { what: 'This is a folder, not a file.', remedy: 'Choose a file, or another name.' },
  'not-a-folder': { what: 'A part of this path is a file, not a folder.', remedy: 'Choose another folder or name.' },
  'into-itself': { what: 'A folder cannot be moved into itself.', remedy: 'Choose another folder.' },
  'name-unusable': {
    what: 'This name cannot be used.',
    remedy: 'Use a name that is not empty, not "." or "..", and has no NUL character.',
  },
  'name-too-long': {
    what: 'The name is longer than this file system allows.',
    remedy: 'Choose a shorter name. Letters outside of ASCII take two to four bytes each.',
  },
  'path-too-long': {
    what: 'SPIFFS stores the whole path as one name, and this one is too long.',
    remedy: 'Shorten the folders or the name. Letters outside of ASCII take two to four bytes each.',
  },
  'name-not-fat': {
    what: 'FAT does not allow this name.',
    remedy: 'Leave out the characters " * : < > ? \\ | and a dot or space at the end.',
  },
  'file-too-large': { what: 'The file is larger than this file system allows.', remedy: 'Choose a smaller file.' },
  'no-empty-folders': {
    what: 'SPIFFS has no folders, only names with slashes.',
    remedy: 'Add a file whose name starts with the name of the folder.',
  },
  full: {
    what: 'The file system has no space left for this change. Nothing was changed.',
    remedy: 'Delete files, or use a larger partition.',
  },
} satisfies Record<FileSystemFault, FailureText>;

/** Error about a file system or a file in it. Nothing else is thrown because of the contents of an image. */
export class FileSystemError extends Error {
  readonly code: FileSystemFault;
  /** Path of the file or folder; null if the failure is about the whole file system. */
  readonly path: string | null;

  /** @param what Replaces the code's sentence with a more precise one. */
  constructor(
    code: FileSystemFault,
    path: string | null = null,
    { what = fileSystemFaultText[code].what, ...options }: ErrorOptions & { readonly what?: string } = {},
  ) {
    super(path === null ? what : `${path}: ${what}`, options);
    this.name = 'FileSystemError';
    this.code = code;
    this.path = path;
  }
}
