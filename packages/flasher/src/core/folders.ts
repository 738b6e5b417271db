/** Folders of files that came together: which of them hold alternatives, and short names for them. */

/** Returns the folder of a path, with `/` at its end; empty for a file without one. */
export function folderOf(path: string): string {
  return path.slice(0, path.search(/[^/\\]*$/)).replaceAll('\\', '/');
}

interface InFolder {
  /** Folder with `/` at its end. */
  readonly folder: string;
}

export interface FolderGroup<File> {
  readonly folder: string;
  /** The folder's own files, and those that belong to no group. */
  readonly files: readonly File[];
}

/**
 * Groups files by the folder below the deepest one that holds all of them, and goes on inside each group.
 *
 * @param areAlternatives Returns true for files of which one folder's are written, and not the others'.
 * @returns A single group if the files belong together.
 */
export function alternativeFolders<File extends InFolder>(
  files: readonly File[],
  areAlternatives: (files: readonly File[]) => boolean,
): readonly FolderGroup<File>[] {
  const top = commonFolder(files.map(({ folder }) => folder));
  if (!areAlternatives(files)) {
    return [{ folder: top, files }];
  }
  const byKey = new Map<string, File[]>();
  for (const file of files) {
    const [key = ''] = file.folder.slice(top.length).split('/');
    byKey.set(key, [...(byKey.get(key) ?? []), file]);
  }
  const groups = [...byKey.values()];
  // A folder without a part of its own, such as data, belongs to all of the others.
  const alone = groups.filter((own) => groups.some((other) => other !== own && areAlternatives([...own, ...other])));
  const shared = groups.filter((group) => !alone.includes(group)).flat();
  return alone.length < 2
    ? [{ folder: top, files }]
    : alone.flatMap((own) =>
        alternativeFolders(own, areAlternatives).map(({ folder, files: some }) => ({
          folder,
          files: [...some, ...shared],
        })),
      );
}

/** Returns the deepest folder that holds all of these folders. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split('/').slice(0, -1));
  const differs = first.findIndex((name, at) => others.some((other) => other[at] !== name));
  return (differs < 0 ? first : first.slice(0, differs)).map((name) => `${name}/`).join('');
}

/**
 * Returns short names of folders: without the folders that all of them have at the beginning or at the end. A folder
 * that would have no name keeps its last one.
 */
export function shortNames(folders: readonly string[]): readonly string[] {
  const paths = folders.map((folder) => folder.split('/').filter((name) => name !== ''));
  const shortest = Math.min(...paths.map((path) => path.length));
  const same = (at: number) => new Set(paths.map((path) => path.at(at))).size === 1;
  let start = 0;
  while (start < shortest && same(start)) {
    start++;
  }
  let end = 0;
  while (end < shortest - start && same(-1 - end)) {
    end++;
  }
  return paths.map((path) => path.slice(start, path.length - end).join('/') || (path.at(-1) ?? 'the top folder'));
}
