/** Apps and bootloaders. Their images are seldom read whole, because that takes long. */
import { isApp, partitionType } from '@wirebench/flasher/esp';
import type { PartitionKind } from '../partition-view.ts';

export const appKind: PartitionKind = {
  shows: (partition) => isApp(partition) || partition.type === partitionType.bootloader,
  describe: () => null,
  readsItself: true,
  load: async () => (await import('./app-view.tsx')).AppView,
};
