/** Local files that are picked or dropped, with their places in a file system. */
import { toast } from '../ui/toast.ts';
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
async function droppedFiles({ items, files }: DataTransfer): Promise<readonly LocalFile[]> {
  const roots = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (roots.length === 0) {
    return pickedFiles(files, '/');
  }
  const entries = await walkEntries(roots, () => true, 'all');
  return Promise.all(entries.map(async ({ path, file }) => ({ path: `/${path}`, file: await file() })));
}

/**
 * Reads what was dropped, and passes it to `take`. Files that the system does not let the page read are reported, and
 * nothing is taken then. Call it from the event of the drop.
 */
export async function takeDropped(transfer: DataTransfer, take: (files: readonly LocalFile[]) => void): Promise<void> {
  let files: readonly LocalFile[];
  try {
    files = await droppedFiles(transfer);
  } catch {
    toast('The dropped files could not be read. Choose them with the button instead.', { level: 'error' });
    return;
  }
  take(files);
}
