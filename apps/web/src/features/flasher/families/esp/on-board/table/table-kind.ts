/** The partition table. */
import { partitionType } from '@wirebench/flasher/esp';
import type { PartitionKind } from '../partition-view.ts';

export const tableKind: PartitionKind = {
  shows: (partition) => partition.type === partitionType.partitionTable,
  describe: () => null,
  summary: () => null,
  load: async () => (await import('./table-view.tsx')).TableView,
};
