/** Partitions with a file system, as *On the board* lists and opens them. */
import { isFileSystem } from '@wirebench/flasher/esp';
import { fileSystemLine } from '../../../../../../workbench/file-system-line.ts';
import type { PartitionKind } from '../partition-view.ts';

/** LittleFS names itself behind one or two tags of its first block (littlefs SPEC.md, "Superblock fields"). */
const startsLikeLittleFs = (start: Uint8Array): boolean =>
  String.fromCharCode(...start.subarray(0, 20)).includes('littlefs');

export const filesKind: PartitionKind = {
  shows: (partition, start) => isFileSystem(partition) || startsLikeLittleFs(start),
  describe: (_partition, contents) => (contents === null ? null : fileSystemLine().call('describe', contents)),
  load: async () => (await import('../../../../files-on-board/files-view.tsx')).FilesView,
};
