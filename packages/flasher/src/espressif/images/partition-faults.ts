/** Finds faults in a readable partition table, by the rules of ESP-IDF's `gen_esp32part.py`. */
import { addressText } from '../../core/bytes.ts';
import { type Partition, type PartitionTable, tableSectorSize, usualTableOffset } from './partition-table.ts';
import { isApp, isOtaData, partitionType } from './partition-types.ts';

const APP_ALIGNMENT = 0x10000;
const DATA_ALIGNMENT = 0x1000;
/** Two sectors (ESP-IDF, `gen_esp32part.py`). */
const OTA_DATA_SIZE = 0x2000;

type TableFault =
  | 'partitions-overlap'
  | 'partition-misaligned'
  | 'partition-over-table'
  | 'partition-beyond-flash'
  | 'partition-empty'
  | 'partition-name-twice'
  | 'two-ota-data'
  | 'ota-data-size'
  | 'partition-size';

export interface TableFinding {
  readonly code: TableFault;
  /** One sentence with names and addresses. */
  readonly what: string;
  readonly partitions: readonly Partition[];
}

const nameOf = (partition: Partition | undefined) => `"${partition?.name ?? ''}"`;

const tableFaultText = {
  'partitions-overlap': ([one, other]) =>
    `Partitions ${nameOf(one)} and ${nameOf(other)} overlap at ${addressText(other?.offset ?? 0)}.`,
  'partition-misaligned': ([one]) =>
    `Partition ${nameOf(one)} begins at ${addressText(one?.offset ?? 0)}, which is not a multiple of ` +
    `${addressText(one === undefined ? DATA_ALIGNMENT : alignmentOf(one))}.`,
  'partition-over-table': ([one]) =>
    `Partition ${nameOf(one)} begins at ${addressText(one?.offset ?? 0)}, which is reserved for the bootloader and the partition table.`,
  'partition-beyond-flash': ([one]) =>
    `Partition ${nameOf(one)} ends at ${addressText(one === undefined ? 0 : one.offset + one.size)}, beyond the end of the flash.`,
  'partition-empty': ([one]) => `Partition ${nameOf(one)} is empty.`,
  'partition-name-twice': ([one]) => `Two partitions are called ${nameOf(one)}.`,
  'two-ota-data': ([one, other]) =>
    `Both ${nameOf(one)} and ${nameOf(other)} select the app to start; only one partition may do so.`,
  'ota-data-size': ([one]) => `Partition ${nameOf(one)} selects the app to start, and must have 0x2000 bytes.`,
  'partition-size': ([one]) =>
    `The size of partition ${nameOf(one)} is not a multiple of ${addressText(DATA_ALIGNMENT)}, the sector of flash.`,
} satisfies Record<TableFault, (partitions: readonly Partition[]) => string>;

/**
 * Returns faults that `gen_esp32part.py` refuses too, in the order of addresses.
 *
 * @param tableOffset Flash offset of the table.
 * @param flashSize In bytes. Default: ends are not checked.
 */
export function findTableFaults(
  { partitions }: PartitionTable,
  { tableOffset = usualTableOffset, flashSize }: { tableOffset?: number; flashSize?: number | undefined } = {},
): TableFinding[] {
  const findings: TableFinding[] = [];
  const add = (code: TableFault, ...found: Partition[]) =>
    findings.push({ code, what: tableFaultText[code](found), partitions: found });
  const sorted = [...partitions].sort((one, other) => one.offset - other.offset);
  let furthest: Partition | undefined;
  for (const partition of sorted) {
    if (partition.size === 0) {
      add('partition-empty', partition);
    }
    if (partition.size % DATA_ALIGNMENT !== 0 && isApp(partition)) {
      add('partition-size', partition);
    }
    if (partition.offset % alignmentOf(partition) !== 0) {
      add('partition-misaligned', partition);
    }
    if (partition.offset < tableOffset + tableSectorSize && !isBeforeTable(partition)) {
      add('partition-over-table', partition);
    }
    if (flashSize !== undefined && partition.offset + partition.size > flashSize) {
      add('partition-beyond-flash', partition);
    }
    if (furthest !== undefined && partition.offset < furthest.offset + furthest.size) {
      add('partitions-overlap', furthest, partition);
    }
    if (furthest === undefined || partition.offset + partition.size > furthest.offset + furthest.size) {
      furthest = partition;
    }
  }
  for (const [index, partition] of partitions.entries()) {
    const twin = partitions.slice(0, index).find(({ name }) => name === partition.name);
    if (twin !== undefined) {
      add('partition-name-twice', twin, partition);
    }
  }
  const [first, second] = partitions.filter(isOtaData);
  if (first !== undefined && second !== undefined) {
    add('two-ota-data', first, second);
  }
  if (first !== undefined && first.size !== OTA_DATA_SIZE) {
    add('ota-data-size', first);
  }
  return findings;
}

function alignmentOf(partition: Partition): number {
  return isApp(partition) ? APP_ALIGNMENT : DATA_ALIGNMENT;
}

/** Returns true for bootloader and table, which newer tables list themselves. */
function isBeforeTable({ type }: Partition): boolean {
  return type === partitionType.bootloader || type === partitionType.partitionTable;
}
