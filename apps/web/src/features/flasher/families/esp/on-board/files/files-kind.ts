/** Partitions with a file system, as *On the board* lists and opens them. */
import { isFileSystem } from '@wirebench/flasher/espressif';
import { fileSystemLine } from '../../../../../../workbench/file-system-line.ts';
import type { PartitionKind } from '../partition-view.ts';

/** Bytes at which LittleFS names itself, in either of its first two blocks (littlefs SPEC.md, "The superblock"). */
const littleFsNameAt = 8;

const startsLikeLittleFs = (start: Uint8Array): boolean =>
  String.fromCharCode(...start.subarray(littleFsNameAt, littleFsNameAt + 8)) === 'littlefs';

export const filesKind: PartitionKind = {
  shows: (partition, start) => isFileSystem(partition) || startsLikeLittleFs(start),
  describe: (_partition, contents) => (contents === null ? null : fileSystemLine().call('describe', contents)),
  load: async () => (await import('./files-view.tsx')).FilesView,
};
