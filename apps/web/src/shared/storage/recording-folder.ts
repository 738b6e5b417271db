/**
 * The site's folder for recordings in the browser's private file system. It holds hours of data without using memory,
 * and survives a crash of the tab. Used by the page and the bench's worker. Needs a secure context.
 */

const folderName = 'recordings';

export interface RecordedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

export function canRecord(): boolean {
  return isSecureContext && 'storage' in navigator && 'getDirectory' in navigator.storage && 'locks' in navigator;
}

/** Returns the folder of recordings. Creates it if it is missing. */
export async function recordingFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(folderName, { create: true });
}

/** Returns the folder without creating it, so that a browser that never recorded stores nothing. */
async function existingFolder(): Promise<FileSystemDirectoryHandle | null> {
  const root = await navigator.storage.getDirectory();
  try {
    return await root.getDirectoryHandle(folderName);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return null;
    }
    throw error;
  }
}

/** Returns the file on the disk. Reading it in pieces uses no memory. */
export async function recordedFile(name: string): Promise<File> {
  const folder = await recordingFolder();
  return (await folder.getFileHandle(name)).getFile();
}

export async function removeRecording(name: string): Promise<void> {
  const folder = await recordingFolder();
  await folder.removeEntry(name);
}

/** Returns the files that no thread writes any more, without empty ones. */
export async function finishedRecordings(): Promise<RecordedFile[]> {
  if (!canRecord()) {
    return [];
  }
  const folder = await existingFolder();
  if (folder === null) {
    return [];
  }
  const { held = [] } = await navigator.locks.query();
  const running = new Set(held.map((lock) => lock.name));
  const files: RecordedFile[] = [];
  for await (const [name, handle] of folder.entries()) {
    // While a stream writes a file, Chromium keeps a second one beside it (`.crswap`).
    if (name.endsWith('.bin') && handle instanceof FileSystemFileHandle && !running.has(lockName(name))) {
      const { size } = await handle.getFile();
      files.push({ name, size });
    }
  }
  return files.filter(({ size }) => size > 0).sort((a, b) => a.name.localeCompare(b.name));
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
