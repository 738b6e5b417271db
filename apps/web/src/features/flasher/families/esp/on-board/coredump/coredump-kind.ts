/** Core dumps, which a program leaves when it crashes. */
import { subtypeName } from '@wirebench/flasher/esp';
import { beginsCoreDump, CORE_HEAD_SIZE } from '@wirebench/symbols';
import type { PartitionKind } from '../partition-view.ts';

export const coredumpKind: PartitionKind = {
  shows: (partition) => subtypeName(partition) === 'coredump',
  describe: ({ size }, contents) =>
    contents === null
      ? null
      : contents.every((byte) => byte === 0xff)
        ? 'Empty'
        : beginsCoreDump(contents.subarray(0, CORE_HEAD_SIZE), size)
          ? 'Holds a crash'
          : 'No core dump',
  summary: () => null,
  readsItself: true,
  load: async () => (await import('./coredump-view.tsx')).CoredumpView,
};
