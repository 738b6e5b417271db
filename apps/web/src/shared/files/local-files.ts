/** Local files that are picked or dropped, with their places in a file system. */
import { walkEntries } from './walk-entries.ts';

/** A local file and its place on the board. */
export interface LocalFile {
  readonly path: string;
  readonly file: File;
}

/**
 * Returns picked files.
 *
 * @param place `/`: a folder becomes a folder at the top. `inside`: its contents are at the top.
 */
export function pickedFiles(files: FileList | null, place: '/' | 'inside'): readonly LocalFile[] {
  return [...(files ?? [])].map((file) => {
    const path = file.webkitRelativePath || file.name;
    return { path: place === '/' ? `/${path}` : path.replace(/^[^/]*(?=\/)/, ''), file };
  });
}

/** Returns dropped files, and those of dropped folders. Must be called during the drop event. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly LocalFile[]> {
  const roots = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (roots.length === 0) {
    return pickedFiles(files, '/');
  }
  const entries = await walkEntries(roots, () => true, 'all');
  return Promise.all(entries.map(async ({ path, file }) => ({ path: `/${path}`, file: await file() })));
}
