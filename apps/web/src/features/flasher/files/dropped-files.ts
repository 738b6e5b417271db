/**
 * Converts what the user dropped or chose to files with their paths. Folders are opened. Browsers that give handles let
 * the page read the same files again.
 */
import { memoryFileExtensions } from '@wirebench/flasher/images';
import type { GivenFile } from '../../../protocol/flash-protocol.ts';
import { handleOf, isFileHandle } from '../../../shared/files/changed-files.ts';
import { isPassedBy, walkEntries } from '../../../shared/files/walk-entries.ts';
import type { DiskFile } from '../store/disk-files.ts';

/** Extensions of the files in a build's folder that flashers use: firmware, its packages, and lists of them. */
const extensions = ['bin', 'img', 'dat', 'eep', 'zip', 'json', ...memoryFileExtensions];
/** Lists without an extension, and scripts with a command line of esptool. */
const lists = '(^|/)(flash_(project_)?args|[^/]*(flash|upload|esptool)[^/]*\\.(txt|sh|bat|cmd|ps1|args))$';
const firmware = new RegExp(`\\.(${extensions.join('|')})$|${lists}`, 'i');

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
  const handles = Array.from(transfer.items, handleOf);
  const roots = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (roots.length === 0) {
    return filesOf(transfer.files);
  }
  const entries = await walkEntries(roots, (name) => firmware.test(name));
  const found = (await Promise.all(handles)).filter((handle) => handle !== null);
  const lists = new Map(found.filter(isFolder).map((folder) => [folder.name, () => filesInFolder(folder)]));
  return Promise.all(
    entries.map(async ({ path, file }) => {
      const [top = ''] = path.split('/');
      const root = found.find(({ name }) => name === top);
      const again = root === undefined ? {} : { reread: () => fileOf(root, path), root };
      const relist = lists.get(top);
      return { name: path, content: await file(), ...again, ...(relist !== undefined && { relist }) };
    }),
  );
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

/** A folder whose contents can be listed (File System, section 2.6). */
type ListedFolder = FileSystemDirectoryHandle & { values(): AsyncIterable<FileSystemHandle> };

const isFolder = (handle: FileSystemHandle): handle is ListedFolder =>
  handle.kind === 'directory' && 'values' in handle;

/** Returns the firmware in a folder, and in the folders within. */
async function filesInFolder(folder: ListedFolder): Promise<DiskFile[]> {
  const relist = () => filesInFolder(folder);
  const entries = await walkEntries([entryOf(folder, '')], (name) => firmware.test(name));
  return Promise.all(
    entries.map(async ({ path, file }) => ({
      name: path,
      content: await file(),
      reread: () => fileOf(folder, path),
      relist,
      root: folder,
    })),
  );
}

/** Returns the files behind handles: those of a folder, or a file itself. */
export async function filesOfHandles(handles: readonly FileSystemHandle[]): Promise<DiskFile[]> {
  const found = await Promise.all(
    handles.map(async (handle) =>
      isFolder(handle) ? filesInFolder(handle) : [await fileWithHandle(handle as FileSystemFileHandle)],
    ),
  );
  return found.flat();
}

const fileWithHandle = async (handle: FileSystemFileHandle): Promise<DiskFile> => ({
  name: handle.name,
  content: await handle.getFile(),
  reread: () => handle.getFile(),
  root: handle,
});

/** Returns an entry as drops have it, so that both are walked alike. */
function entryOf(handle: FileSystemHandle, parent: string): FileSystemEntry {
  const fullPath = `${parent}/${handle.name}`;
  const common = { name: handle.name, fullPath, isFile: isFileHandle(handle), isDirectory: !isFileHandle(handle) };
  if (isFileHandle(handle)) {
    const file = (resolve: (file: File) => void, reject: (error: unknown) => void) => {
      handle.getFile().then(resolve, reject);
    };
    return { ...common, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    let isRead = false;
    const read = async () => {
      const found: FileSystemEntry[] = [];
      if (!isRead) {
        isRead = true;
        for await (const one of (handle as ListedFolder).values()) {
          found.push(entryOf(one, fullPath));
        }
      }
      return found;
    };
    return {
      readEntries: (resolve: (some: FileSystemEntry[]) => void, reject: (error: unknown) => void) => {
        read().then(resolve, reject);
      },
    };
  };
  return { ...common, createReader } as unknown as FileSystemEntry;
}

/** The dialogs that give handles (File System Access, sections 3.2 and 3.4). Missing in other browsers. */
interface HandleDialogs {
  readonly showOpenFilePicker?: (options: object) => Promise<readonly FileSystemFileHandle[]>;
  readonly showDirectoryPicker?: (options: object) => Promise<ListedFolder>;
}

/**
 * Opens the browser's dialog for files or for a folder, and resolves with what is chosen; null after a cancel. Must be
 * called directly from a click.
 *
 * @param accept Extensions of firmware, as a file input takes them. Missing: any.
 * @returns Undefined if the browser has no dialog that gives handles.
 */
export function pickFiles(what: 'files' | 'folder', accept?: string): Promise<DiskFile[] | null> | undefined {
  const { showOpenFilePicker, showDirectoryPicker } = window as Window & HandleDialogs;
  if (what === 'folder') {
    return showDirectoryPicker && withoutCancel(showDirectoryPicker({ id: 'firmware' }).then(filesInFolder));
  }
  const types = accept === undefined ? [] : [{ accept: { 'application/octet-stream': accept.split(',') } }];
  return (
    showOpenFilePicker &&
    withoutCancel(
      showOpenFilePicker({ id: 'firmware', multiple: true, types }).then((handles) => filesOfHandles(handles)),
    )
  );
}

/** Resolves with null if the dialog was cancelled. */
function withoutCancel(picking: Promise<DiskFile[]>): Promise<DiskFile[] | null> {
  return picking.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') {
      return null;
    }
    throw error;
  });
}
