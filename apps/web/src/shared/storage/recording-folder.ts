/**
 * The site's own folder for recordings, in the browser's private file system: it takes what comes for hours without holding
 * it in memory, and survives a crash of the tab. Seen by the page and by the bench's thread. Needs a secure context.
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

/** Looking for recordings makes no folder: a browser that never recorded stores nothing. */
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

/** The file as it lies on the disk: reading it costs no memory. */
export async function recordedFile(name: string): Promise<File> {
  const folder = await recordingFolder();
  return (await folder.getFileHandle(name)).getFile();
}

export async function removeRecording(name: string): Promise<void> {
  const folder = await recordingFolder();
  await folder.removeEntry(name);
}

/** Files of recordings that run nowhere any more, empty ones left out. */
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
    // Beside a file that a stream writes, Chromium keeps one of its own (`.crswap`).
    if (name.endsWith('.bin') && handle instanceof FileSystemFileHandle && !running.has(lockName(name))) {
      const { size } = await handle.getFile();
      files.push({ name, size });
    }
  }
  return files.filter(({ size }) => size > 0).sort((a, b) => a.name.localeCompare(b.name));
}

/** Says to every tab that `name` is being written, until the thread ends or the function returned is called. */
export function markRunning(name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(lockName(name), () => promise);
  return resolve;
}

const lockName = (name: string) => `wirebench-recording ${name}`;
