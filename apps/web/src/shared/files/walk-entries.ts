/**
 * Collects files from dropped folders, shallow folders first. The caller decides which files are wanted, and if folders
 * are skipped that never contain files to flash.
 */

import { buildFolders } from '@wirebench/flasher/chosen-files';

export interface DroppedEntry {
  /** Path within the dropped item, with `/`. */
  readonly path: string;
  readonly file: () => Promise<File>;
}

/**
 * @param isWanted Decides by name about files in folders. Files that the user picked directly are always included.
 * @param scope `build`: skips folders of object files, and those below the sixth level. `all`: opens every folder.
 */
export async function walkEntries(
  roots: readonly FileSystemEntry[],
  isWanted: (name: string) => boolean,
  scope: 'build' | 'all' = 'build',
): Promise<readonly DroppedEntry[]> {
  const entries: DroppedEntry[] = [];
  let level = [...roots];
  let folders = 0;
  for (let depth = 0; level.length > 0 && (scope === 'all' || depth <= buildFolders.deepest); depth++) {
    const next: FileSystemEntry[] = [];
    for (const entry of level) {
      if (isFile(entry)) {
        if (depth === 0 || isWanted(entry.name)) {
          entries.push({
            path: entry.fullPath.replace(/^\//, ''),
            file: () => new Promise((resolve, reject) => entry.file(resolve, reject)),
          });
        }
      } else if (
        isFolder(entry) &&
        (scope === 'all' || !buildFolders.passedBy.includes(entry.name)) &&
        folders < buildFolders.most
      ) {
        folders++;
        next.push(...(await childrenOf(entry)));
      }
    }
    level = next;
  }
  return entries;
}

/** Returns true for a path that `walkEntries` would skip. A dialog for folders returns all files. */
export function isPassedBy(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((name) => buildFolders.passedBy.includes(name));
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Returns all entries of a folder. A reader returns some entries per call, and an empty list at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) {
      return children;
    }
    children.push(...some);
  }
}
