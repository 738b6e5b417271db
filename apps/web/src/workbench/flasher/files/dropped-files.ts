/** What was dropped or chosen → files with their paths, folders opened. Knows the browser's entries and names of files alone. */
import { memoryFileExtensions } from '@wirebench/flasher/images';
import { isPassedBy, walkEntries } from '../../../shared/files/walk-entries.ts';
import type { GivenFile } from '../flash-protocol.ts';

/** What a build of any family has in its folder for a flasher: firmware, its packages, and lists of them. */
const extensions = ['bin', 'img', 'dat', 'zip', 'json', ...memoryFileExtensions];
const firmware = new RegExp(`\\.(${extensions.join('|')})$|(^|/)flash_(project_)?args$`, 'i');

/** What a file input holds; of a folder, with its paths. */
export function filesOf(list: Iterable<File>): GivenFile[] {
  return Array.from(list, (file) => ({ name: file.webkitRelativePath || file.name, content: file })).filter(
    ({ name }) => !name.includes('/') || (firmware.test(name) && !isPassedBy(name)),
  );
}

/** Must be called within the drop's event: afterwards the browser has forgotten what was dropped. */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const roots = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (roots.length === 0) {
    return filesOf(transfer.files);
  }
  const entries = await walkEntries(roots, (name) => firmware.test(name));
  return Promise.all(entries.map(async ({ path, file }) => ({ name: path, content: await file() })));
}
