/** What was dropped or chosen → files with their paths, folders opened. Knows the browser's entries; nothing of firmware. */
import type { GivenFile } from '../flash-protocol.ts';

/** Files of a folder beyond this are not looked at: a whole disk was not meant. */
const mostEntries = 2_000;

export function filesOf(list: Iterable<File>): GivenFile[] {
  return Array.from(list, (file) => ({ name: file.webkitRelativePath || file.name, content: file }));
}

/** Must be called within the drop's event: afterwards the browser has forgotten what was dropped. */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) {
    return filesOf(transfer.files);
  }
  const found: GivenFile[] = [];
  for (const entry of entries) {
    await collect(entry, found);
  }
  return found;
}

async function collect(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (found.length >= mostEntries) {
    return;
  }
  if (isFile(entry)) {
    const content = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ name: entry.fullPath.replace(/^\//, ''), content });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // A reader gives a hundred at a time, and none at the end.
      const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (batch.length === 0) {
        return;
      }
      for (const child of batch) {
        await collect(child, found);
      }
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
