/** All kinds of contents that *On the board* shows. The first kind that shows a partition counts, else its raw bytes. */
import type { Partition } from '@wirebench/flasher/esp';
import { appKind } from './app/app-kind.ts';
import { coredumpKind } from './coredump/coredump-kind.ts';
import { filesKind } from './files/files-kind.ts';
import { nvsKind } from './nvs/nvs-kind.ts';
import { otadataKind } from './otadata/otadata-kind.ts';
import type { ExtraEntry, PartitionKind } from './partition-view.ts';
import { rawKind } from './raw/raw-kind.ts';
import { securityEntry } from './security/security-entry.tsx';
import { tableKind } from './table/table-kind.ts';

const partitionKinds: readonly PartitionKind[] = [tableKind, otadataKind, appKind, coredumpKind, nvsKind, filesKind];

/** Entries below the partitions. */
export const extraEntries: readonly ExtraEntry[] = [securityEntry];

/** Bytes at the start of a partition by which its kind is chosen. */
const START = 4_096;
const unread = new Uint8Array();

/** @param contents Null until the partition was read as a whole. */
export function kindOf(partition: Partition, contents: Uint8Array | null): PartitionKind {
  const start = contents?.subarray(0, START) ?? unread;
  return partitionKinds.find(({ shows }) => shows(partition, start)) ?? rawKind;
}
