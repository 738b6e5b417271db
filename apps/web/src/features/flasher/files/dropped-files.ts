/** Converts what the user dropped or chose to files with their paths. Folders are opened. */
import { memoryFileExtensions } from '@wirebench/flasher/images';
import type { GivenFile } from '../../../protocol/flash-protocol.ts';
import { isPassedBy, walkEntries } from '../../../shared/files/walk-entries.ts';
import type { DiskFile } from '../store/disk-files.ts';

/** Extensions of the files in a build's folder that flashers use: firmware, its packages, and lists of them. */
const extensions = ['bin', 'img', 'dat', 'zip', 'json', ...memoryFileExtensions];
const firmware = new RegExp(`\\.(${extensions.join('|')})$|(^|/)flash_(project_)?args$`, 'i');

/** Returns the files of a file input. Files of a folder have their path as name, and are filtered. */
export function filesOf(list: Iterable<File>): GivenFile[] {
  return Array.from(list, (file) => ({ name: file.webkitRelativePath || file.name, content: file })).filter(
    ({ name }) => !name.includes('/') || (firmware.test(name) && !isPassedBy(name)),
  );
}

/**
 * Returns the files of a drop. Must be called within the drop's event: afterwards the browser has cleared the
 * transfer.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<DiskFile[]> {
  const handles = Array.from(transfer.items, (item) => handleOf(item as DataTransferItem & HandleItem));
  const roots = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (roots.length === 0) {
    return filesOf(transfer.files);
  }
  const entries = await walkEntries(roots, (name) => firmware.test(name));
  const found = (await Promise.all(handles)).filter((handle) => handle !== null);
  return Promise.all(
    entries.map(async ({ path, file }) => {
      const root = found.find(({ name }) => name === path.split('/')[0]);
      const again = root === undefined ? {} : { reread: () => fileOf(root, path) };
      return { name: path, content: await file(), ...again };
    }),
  );
}

/** Returns a handle of a dropped file or folder; null in browsers without handles. */
async function handleOf(item: HandleItem): Promise<FileSystemHandle | null> {
  return (await item.getAsFileSystemHandle?.().catch(() => null)) ?? null;
}

/** A dropped item in browsers that give handles (File System Access, section 4.2). */
interface HandleItem {
  readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>;
}

/** @param path Path of the file that begins with the name of `root`. */
async function fileOf(root: FileSystemHandle, path: string): Promise<File> {
  const [name = '', ...folders] = path.split('/').slice(1).reverse();
  if (isFileHandle(root)) {
    return root.getFile();
  }
  let folder = root as FileSystemDirectoryHandle;
  for (const part of folders.reverse()) {
    folder = await folder.getDirectoryHandle(part);
  }
  return (await folder.getFileHandle(name)).getFile();
}

const isFileHandle = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file';
