/** Finds chosen files that are no longer on the disk as they were chosen, and reads them again by their handles. */

/**
 * Reads one byte of a chosen file.
 *
 * @throws DOMException `NotReadableError` if the file was changed since it was chosen (File API, section 6.3), or another
 *   one if it was moved or may no longer be read.
 */
export async function readFirstByte(file: Blob): Promise<void> {
  await file.slice(0, 1).arrayBuffer();
}

/** Returns false if the file was changed, moved or deleted since it was chosen. */
export async function isAsChosen(file: Blob): Promise<boolean> {
  try {
    await readFirstByte(file);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if two readings of a file by its handle are of the same contents. */
export const isSameFile = (one: File, other: File): boolean =>
  one.lastModified === other.lastModified && one.size === other.size;

/** A chosen file under the name that the user knows. */
interface NamedFile {
  readonly name: string;
  readonly file: Blob;
}

/**
 * Checks the files before they are used together, so that nothing is half done.
 *
 * @returns Null if all are as they were chosen; else a sentence with their names and the remedy.
 */
export async function changedFilesText(files: readonly NamedFile[]): Promise<string | null> {
  const found = await Promise.all(files.map(async ({ name, file }) => ((await isAsChosen(file)) ? [] : [name])));
  const names = found.flat();
  const [first, ...others] = names;
  if (first === undefined) {
    return null;
  }
  return others.length === 0
    ? `${first} has changed since it was chosen, or was moved. Choose it again.`
    : `${names.length} files have changed since they were chosen, or were moved: ${names.join(', ')}. Choose them again.`;
}

/** A file with the way to read it again. */
export interface RereadableFile {
  readonly file: File;
  /** Reads the file by its handle. Missing: the browser gave none. */
  readonly reread?: () => Promise<File>;
}

/** Returns true if the disk holds other contents than those of the file, or nothing that can be read. */
export async function isOutdated({ file, reread }: RereadableFile): Promise<boolean> {
  if (reread === undefined) {
    return !(await isAsChosen(file));
  }
  try {
    return !isSameFile(await reread(), file);
  } catch {
    return true;
  }
}

/** A dropped item in browsers that give handles (File System Access, section 4.2). */
interface HandleItem {
  readonly getAsFileSystemHandle?: () => Promise<FileSystemHandle | null | undefined>;
}

/** Milliseconds after which a drop goes on without its handle. Chromium gives one within some 20 ms. */
const HANDLE_LIMIT = 2_000;

/**
 * Returns a handle of a dropped file or folder. Call it from the event of the drop.
 *
 * @returns null in browsers without handles, and where the browser gives none: Chromium leaves the promise of a folder
 *   that it protects (`/dev`, its own profile, the home folder itself) unsettled.
 */
export async function handleOf(item: DataTransferItem): Promise<FileSystemHandle | null> {
  const handle = (item as DataTransferItem & HandleItem).getAsFileSystemHandle?.().catch(() => null);
  const limit = new Promise<null>((resolve) => setTimeout(resolve, HANDLE_LIMIT, null));
  // Chromium gives undefined for a file that a script has put into the transfer.
  return (await Promise.race([handle ?? null, limit])) ?? null;
}

export const isFileHandle = (handle: FileSystemHandle): handle is FileSystemFileHandle => handle.kind === 'file';

/** Returns dropped files with their handles. Call it from the event of the drop. */
export function rereadableFiles({ items, files }: DataTransfer): Promise<readonly RereadableFile[]> {
  const dropped = [...items].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    return file === null ? [] : [{ file, handle: handleOf(item) }];
  });
  if (dropped.length === 0) {
    return Promise.resolve([...files].map((file) => ({ file })));
  }
  return Promise.all(
    dropped.map(async ({ file, handle }) => {
      const found = await handle;
      return found !== null && isFileHandle(found) ? { file, reread: () => found.getFile() } : { file };
    }),
  );
}
