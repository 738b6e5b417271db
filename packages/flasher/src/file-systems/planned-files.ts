/** Words of a file system, and of planned changes to its files with the sectors that they change. */
import { count, counted } from '@wirebench/port/numbers';
import type { BoardChange } from '../core/board-change.ts';
import { sectorSize, splitIntoRegions } from '../core/region.ts';
import type { EditedEntry, EditedFileSystem } from './edits.ts';
import { type FileSystem, type FileSystemKind, fileSystemNames } from './file-system.ts';

/** A change of the files in a partition. */
export interface PlannedFileChange {
  readonly change: BoardChange;
  /** Subject with its number: `3 changed files`. */
  readonly what: string;
  /** Number of single changes. */
  readonly count: number;
  /** Text of each single change: `+ /www/index.html 4.1 KB`. */
  readonly entries: readonly string[];
  /** Extent of the write: `3 of 256 sectors`. */
  readonly note: string;
}

interface EditedFiles extends Pick<EditedFileSystem, 'entries' | 'isFormatted' | 'isChanged' | 'changed'> {
  /** Null: there is no file system. */
  readonly kind: FileSystemKind | null;
}

interface PartitionOfFiles {
  readonly name: string;
  /** Flash offset in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
}

/**
 * Returns the planned change of a partition; null if nothing differs from the board.
 *
 * @param md5 Of the contents that the edits were made on, in lower-case hexadecimal.
 * @param sizeText Words for a size in bytes.
 */
export function planFiles(
  partition: PartitionOfFiles,
  md5: string,
  { entries: all, isFormatted, isChanged, changed: sectors, kind }: EditedFiles,
  sizeText: (bytes: number) => string,
): PlannedFileChange | null {
  if (!isChanged || kind === null) {
    return null;
  }
  const changed = all.filter(({ change }) => change !== null);
  const bytes = sectors.reduce((sum, region) => sum + region.bytes.length, 0);
  return {
    change: {
      name: partition.name,
      range: { offset: partition.offset, length: partition.size },
      basis: md5,
      erases: [],
      writes: sectors.flatMap((region) => splitIntoRegions(partition.offset + region.offset, region.bytes)),
    },
    what: changed.length === 0 ? 'a new file system' : counted(changed.length, 'changed file'),
    count: Math.max(1, changed.length),
    entries: [
      ...(isFormatted ? [`formatted as ${fileSystemNames[kind]}`] : []),
      ...changed.map((entry) => entryText(entry, sizeText)),
    ],
    note: `${count(Math.ceil(bytes / sectorSize))} of ${count(Math.ceil(partition.size / sectorSize))} sectors`,
  };
}

/** `+ /www/index.html 4.1 KB`, `/config.json changed`, `/old.txt deleted`. */
function entryText({ path, kind, size, change, was, files }: EditedEntry, sizeText: (bytes: number) => string): string {
  const name = kind === 'folder' ? `${path}/` : path;
  switch (change) {
    case 'added':
      return kind === 'folder' ? `+ ${name}` : `+ ${name} ${sizeText(size)}`;
    case 'removed':
      return kind === 'folder' ? `${name} deleted, ${counted(files, 'file')}` : `${name} deleted`;
    case 'renamed':
      return `${was} → ${path}`;
    case 'changed':
    case null:
      return `${name} changed`;
  }
}

/** Describes a file system in a line: `LittleFS, 14 files, 44 % full`. */
export function fileSystemText(fileSystem: FileSystem): string {
  const files = fileSystem.list().filter(({ kind }) => kind === 'file').length;
  const { used, total } = fileSystem.usage();
  const name = fileSystemNames[fileSystem.kind];
  return `${name}, ${files === 1 ? '1 file' : `${files} files`}, ${Math.round((used / total) * 100)} % full`;
}
