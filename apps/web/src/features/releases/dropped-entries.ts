/**
 * Files out of what was dropped or chosen: single ones, or a whole folder with those in it that a build may have written for
 * flashing. Knows names and folders; what the files are is `read-build-output.ts`'s business.
 */

export interface DroppedEntry {
  /** Within what was dropped, with `/`. */
  readonly path: string;
  readonly file: () => Promise<File>;
}

export interface Dropped {
  readonly entries: Promise<readonly DroppedEntry[]>;
  readonly hasFolder: boolean;
}

/** Builds are not deeper than `.pio/build/<environment>` in a project; the rest is somebody's home directory. */
const MOST_FOLDERS = 2_000;
const DEEPEST = 6;

/** Thousands of object files, and none that is flashed. */
const passedBy: readonly string[] = ['node_modules', '.git', 'CMakeFiles', 'esp-idf', 'managed_components', 'libdeps'];

/** Must be called while the event is handled: later the browser takes the entries away. */
export function droppedEntries({ items, files }: DataTransfer): Dropped {
  const found = Array.from(items).flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (found.length === 0) {
    return { entries: Promise.resolve(entriesOfFiles(files)), hasFolder: false };
  }
  return { entries: walk(found), hasFolder: found.some(({ isDirectory }) => isDirectory) };
}

/** What a file input holds; of a folder, with its paths. */
export function entriesOfFiles(files: Iterable<File>): DroppedEntry[] {
  return Array.from(files, (file) => ({
    path: file.webkitRelativePath || file.name,
    file: () => Promise.resolve(file),
  })).filter(({ path }) => mayBeFlashed(path) || !path.includes('/'));
}

async function walk(roots: readonly FileSystemEntry[]): Promise<DroppedEntry[]> {
  const entries: DroppedEntry[] = [];
  let level = [...roots];
  let folders = 0;
  for (let depth = 0; level.length > 0 && depth <= DEEPEST; depth++) {
    const next: FileSystemEntry[] = [];
    for (const entry of level) {
      if (isFile(entry)) {
        // What a person picked by hand is told about, whatever it is.
        if (depth === 0 || mayBeFlashed(entry.name)) {
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

function mayBeFlashed(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return /\.bin$|\.json$|(^|\/)flash_(project_)?args$/i.test(path) && !folders.some((name) => passedBy.includes(name));
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
