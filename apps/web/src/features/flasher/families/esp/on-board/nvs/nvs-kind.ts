/** NVS as a kind of partition of *On the board*. */
import { type Partition, subtypeName, typeName } from '@wirebench/flasher/esp';
import { liveEntries, type NvsDraft, readNvs, storeText } from '@wirebench/flasher/esp/nvs';
import { counted } from '../../../../../../shared/format/numbers.ts';
import type { PartitionKind } from '../partition-view.ts';

export const nvsKind: PartitionKind = {
  shows: (partition, start) => isNvsPartition(partition) || ['nvs', 'encrypted'].includes(readNvs(start).kind),
  describe: (_, contents, planned = null) => {
    if (contents === null) {
      return null;
    }
    const store = readNvs(contents);
    if (planned === null || (store.kind !== 'nvs' && store.kind !== 'empty')) {
      return storeText(store);
    }
    if ((planned.draft as Partial<NvsDraft> | null)?.rebuilt === true) {
      return null;
    }
    return store.kind === 'empty'
      ? `${counted(planned.count, 'key')} added, not written yet`
      : `${planned.count} of ${counted(liveEntries(store).length, 'key')} changed, not written yet`;
  },
  summary: (_, contents) => {
    const keys = liveEntries(readNvs(contents)).length;
    return keys === 0 ? null : counted(keys, 'stored key');
  },
  load: async () => (await import('./nvs-view.tsx')).NvsView,
};

/** Returns true for partitions that the table lists as NVS. */
function isNvsPartition(partition: Partition): boolean {
  return typeName(partition) === 'data' && subtypeName(partition) === 'nvs';
}
