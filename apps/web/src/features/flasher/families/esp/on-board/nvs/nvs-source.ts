/** Keys from files of this computer. */
import { type NvsSource, readNvsSource, refusedSource } from '@wirebench/flasher/esp/nvs';
import type { LocalFile } from '../../../../../../shared/files/local-files.ts';
import { memoryText } from '../../../../../../shared/format/bytes.ts';
import { noteOrigin } from '../../../../store/disk-files.ts';

/** Largest file that is read, in bytes: the largest flash of a board. */
const MAX_FILE_SIZE = 32 * 2 ** 20;

/**
 * Reads a CSV, an image or a backup.
 *
 * @param files The file, and files that rows of a CSV name, with the folders in which they were given.
 * @param partition Name of the partition to look for in a backup of the whole flash.
 */
export async function readNvsFiles(files: readonly LocalFile[], partition: string): Promise<NvsSource> {
  const tooLarge = files.find(({ file }) => file.size > MAX_FILE_SIZE)?.file;
  if (tooLarge !== undefined) {
    return refusedSource(
      tooLarge.name,
      `Files here have at most ${memoryText(MAX_FILE_SIZE)}. Choose the image of one partition.`,
    );
  }
  try {
    const contents = await Promise.all(
      files.map(async ({ path, file }) => ({ name: path.slice(1), bytes: new Uint8Array(await file.arrayBuffer()) })),
    );
    const source = await readNvsSource(contents, partition);
    for (const { value } of source.keys) {
      noteOrigin(
        value,
        files.map(({ file }) => ({ name: file.name, content: file })),
      );
    }
    return source;
  } catch (error) {
    if (error instanceof DOMException) {
      const name = files[0]?.file.name ?? '';
      return refusedSource(name, 'The file could not be read. Check that it is still there, then choose it again.');
    }
    throw error;
  }
}
