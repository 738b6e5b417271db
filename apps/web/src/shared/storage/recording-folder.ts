/**
 * The site's folder for recordings in the browser's private file system. It holds hours of data without using memory,
 * and survives a crash of the tab. Used by the page and the bench's worker. Needs a secure context.
 */

const folderName = 'recordings';

export interface StoredFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Time of the last write in milliseconds since the Unix epoch. */
  readonly writtenAt: number;
  /** True: a thread of this tab or another one has the file open for writing. */
  readonly isRunning: boolean;
}

export function canRecord(): boolean {
  return isSecureContext && 'storage' in navigator && 'getDirectory' in navigator.storage && 'locks' in navigator;
}

/** Returns the folder of recordings. Creates it if it is missing. */
export async function recordingFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(folderName, { create: true });
}

/**
 * Creates an empty file. Rejects with an `InvalidModificationError` if the name is taken: a recording never overwrites
 * another.
 */
export async function newFile(folder: FileSystemDirectoryHandle, name: string): Promise<FileSystemFileHandle> {
  if ((await unlessMissing(folder.getFileHandle(name))) !== null) {
    throw new DOMException('There is a file of that name.', 'InvalidModificationError');
  }
  return folder.getFileHandle(name, { create: true });
}

async function unlessMissing<Handle>(found: Promise<Handle>): Promise<Handle | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return null;
    }
    throw error;
  }
}

/** Returns the folder without creating it, so that a browser that never recorded stores nothing. */
async function existingFolder(): Promise<FileSystemDirectoryHandle | null> {
  const root = await navigator.storage.getDirectory();
  return unlessMissing(root.getDirectoryHandle(folderName));
}

/** Returns true if this browser has recorded. */
export const hasRecordings = async (): Promise<boolean> => (await existingFolder()) !== null;

/** Returns the file on the disk. Reading it in pieces uses no memory. */
export async function recordedFile(name: string): Promise<File> {
  const folder = await recordingFolder();
  return (await folder.getFileHandle(name)).getFile();
}

export async function removeStoredFile(name: string): Promise<void> {
  const folder = await recordingFolder();
  await folder.removeEntry(name);
}

/** Returns the files of all recordings, sorted by name. */
export async function storedFiles(): Promise<StoredFile[]> {
  if (!canRecord()) {
    return [];
  }
  const folder = await existingFolder();
  if (folder === null) {
    return [];
  }
  const { held = [] } = await navigator.locks.query();
  const running = new Set(held.map((lock) => lock.name));
  const files: StoredFile[] = [];
  for await (const [name, handle] of folder.entries()) {
    // While a stream writes a file, Chromium keeps a second one beside it.
    if (handle.kind === 'file' && !name.endsWith('.crswap')) {
      // The file may be deleted by another tab in between.
      const file = await unlessMissing((handle as FileSystemFileHandle).getFile());
      if (file !== null) {
        const { size, lastModified } = file;
        files.push({ name, size, writtenAt: lastModified, isRunning: running.has(lockName(name)) });
      }
    }
  }
  return files.sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Marks `name` for all tabs as being written, until the thread ends.
 * @returns Function that removes the mark.
 */
export function markRunning(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(lockName(name), () => promise);
  return resolve;
}

const lockName = (name: string) => `wirebench-recording ${name}`;
