/**
 * Files out of what was dropped, folders opened, the least deep ones first. Passes by what no build puts anything to flash into.
 * Knows the browser's entries; what is wanted is told from outside.
 */

export interface DroppedEntry {
  /** Within what was dropped, with `/`. */
  readonly path: string;
  readonly file: () => Promise<File>;
}

/** Builds are not deeper than `.pio/build/<environment>` in a project; the rest is somebody's home directory. */
const MOST_FOLDERS = 2_000;
const DEEPEST = 6;

/** Thousands of object files, and none that is flashed. */
const passedBy: readonly string[] = ['node_modules', '.git', 'CMakeFiles', 'esp-idf', 'managed_components', 'libdeps'];

/** @param isWanted asked for the names of files in folders: what a person picked by hand is there, whatever it is. */
export async function walkEntries(
  roots: readonly FileSystemEntry[],
  isWanted: (name: string) => boolean,
): Promise<readonly DroppedEntry[]> {
  const entries: DroppedEntry[] = [];
  let level = [...roots];
  let folders = 0;
  for (let depth = 0; level.length > 0 && depth <= DEEPEST; depth++) {
    const next: FileSystemEntry[] = [];
    for (const entry of level) {
      if (isFile(entry)) {
        if (depth === 0 || isWanted(entry.name)) {
          entries.push({
            path: entry.fullPath.replace(/^\//, ''),
            file: () => new Promise((resolve, reject) => entry.file(resolve, reject)),
          });
        }
      } else if (isFolder(entry) && !passedBy.includes(entry.name) && folders < MOST_FOLDERS) {
        folders++;
        next.push(...(await childrenOf(entry)));
      }
    }
    level = next;
  }
  return entries;
}

/** Whether `walkEntries` would not come to a file with this path: a dialog for folders gives all of them. */
export function isPassedBy(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((name) => passedBy.includes(name));
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** A reader gives some at a time, and none when it has given all. */
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
