/** Keys from files of this computer. */
import { type NvsSource, readNvsSource, refusedSource } from '@wirebench/flasher/esp/nvs';
import { memoryText } from '../../../../../../shared/format/bytes.ts';
import { noteOrigin } from '../../../../store/disk-files.ts';

/** Largest file that is read, in bytes: the largest flash of a board. */
const MAX_FILE_SIZE = 32 * 2 ** 20;

/**
 * Reads a CSV, an image or a backup.
 *
 * @param files The file, and files that rows of a CSV name.
 * @param partition Name of the partition to look for in a backup of the whole flash.
 */
export async function readNvsFiles(files: readonly File[], partition: string): Promise<NvsSource> {
  const tooLarge = files.find(({ size }) => size > MAX_FILE_SIZE);
  if (tooLarge !== undefined) {
    return refusedSource(
      tooLarge.name,
      `Files here have at most ${memoryText(MAX_FILE_SIZE)}. Choose the image of one partition.`,
    );
  }
  try {
    const contents = await Promise.all(
      files.map(async (file) => ({
        name: file.webkitRelativePath || file.name,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    );
    const source = await readNvsSource(contents, partition);
    for (const { value } of source.keys) {
      noteOrigin(
        value,
        files.map((one) => ({ name: one.name, content: one })),
      );
    }
    return source;
  } catch (error) {
    if (error instanceof DOMException) {
      const name = files[0]?.name ?? '';
      return refusedSource(name, 'The file could not be read. Check that it is still there, then choose it again.');
    }
    throw error;
  }
}
