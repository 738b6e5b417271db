/** Converts what the user dropped or chose to files with their paths. Folders are opened. */
import { memoryFileExtensions } from '@wirebench/flasher/images';
import type { GivenFile } from '../../../protocol/flash-protocol.ts';
import { isPassedBy, walkEntries } from '../../../shared/files/walk-entries.ts';

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
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const roots = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (roots.length === 0) {
    return filesOf(transfer.files);
  }
  const entries = await walkEntries(roots, (name) => firmware.test(name));
  return Promise.all(entries.map(async ({ path, file }) => ({ name: path, content: await file() })));
}
