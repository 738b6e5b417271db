/** NVS as a kind of partition of *On the board*. */
import { type Partition, subtypeName, typeName } from '@wirebench/flasher/esp';
import { liveEntries, type NvsDraft, readNvs } from '@wirebench/flasher/esp/nvs';
import { counted } from '../../../../../../shared/format/numbers.ts';
import type { PartitionKind } from '../partition-view.ts';

export const nvsKind: PartitionKind = {
  shows: (partition, start) => isNvsPartition(partition) || ['nvs', 'encrypted'].includes(readNvs(start).kind),
  describe: (_, contents, planned = null) => {
    if (contents === null) {
      return null;
    }
    const store = readNvs(contents);
    switch (store.kind) {
      case 'nvs': {
        const keys = liveEntries(store).length;
        if (planned !== null && (planned.draft as Partial<NvsDraft> | null)?.rebuilt === true) {
          return null;
        }
        if (planned !== null) {
          return `${planned.count} of ${counted(keys, 'key')} changed, not written yet`;
        }
        const { written, total } = store.usage;
        const full = Math.round((written / total) * 100);
        return `${counted(keys, 'key')} in ${counted(store.namespaces.length, 'namespace')}, ${full} % full`;
      }
      case 'empty':
        return planned === null ? 'Empty' : `${counted(planned.count, 'key')} added, not written yet`;
      case 'encrypted':
        return 'Encrypted keys and values';
      case 'newer':
        return 'NVS of a newer format';
      case 'foreign':
        return 'Holds no readable NVS';
    }
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
