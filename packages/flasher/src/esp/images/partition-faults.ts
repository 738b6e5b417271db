/** Finds faults in a readable partition table, by the rules of ESP-IDF's `gen_esp32part.py` (version 1.5). */
import { addressText } from '../../core/bytes.ts';
import { type Partition, type PartitionTable, tableSectorSize, usualTableOffset } from './partition-table.ts';
import { isApp, isCoreDump, isHead, isNvs, isOtaData, isTeeOtaData } from './partition-types.ts';

const APP_ALIGNMENT = 0x10000;
const DATA_ALIGNMENT = 0x1000;
/** Two sectors (ESP-IDF, `gen_esp32part.py`). */
const OTA_DATA_SIZE = 0x2000;
/** Smallest NVS that can be written, in bytes (`NVS_RW_MIN_PARTITION_SIZE`). */
const SMALLEST_NVS = 0x3000;

type TableFault =
  | 'partitions-overlap'
  | 'partition-misaligned'
  | 'partition-over-table'
  | 'partition-beyond-flash'
  | 'partition-empty'
  | 'partition-name-twice'
  | 'two-ota-data'
  | 'ota-data-size'
  | 'partition-size'
  | 'never-read-only'
  | 'nvs-too-small';

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
    (one?.size ?? 0) % DATA_ALIGNMENT === 0
      ? `The size of partition ${nameOf(one)} is not a multiple of ${addressText(APP_ALIGNMENT)}, as Secure Boot V1 needs it.`
      : `The size of partition ${nameOf(one)} is not a multiple of ${addressText(DATA_ALIGNMENT)}, the sector of flash.`,
  'never-read-only': ([one]) =>
    `Partition ${nameOf(one)} is marked readonly, but the program has to write ${one !== undefined && isOtaData(one) ? 'OTA data' : 'core dumps'}.`,
  'nvs-too-small': ([one]) =>
    `Partition ${nameOf(one)} is smaller than ${addressText(SMALLEST_NVS)}, so that NVS can only be read from it: mark it readonly or make it larger.`,
} satisfies Record<TableFault, (partitions: readonly Partition[]) => string>;

export interface TableRules {
  /** Flash offset of the table; default 0x8000. */
  readonly tableOffset?: number;
  /** In bytes. Default: ends are not checked. */
  readonly flashSize?: number | undefined;
  /** Scheme of secure boot. V1 has its signature at the end of 64 KiB, so apps are multiples of that. */
  readonly secureBoot?: 'v1' | 'v2' | 'off';
}

/** Returns faults that `gen_esp32part.py` refuses too, in the order of addresses. Empty partitions are added to them. */
export function findTableFaults(
  { partitions }: Pick<PartitionTable, 'partitions'>,
  { tableOffset = usualTableOffset, flashSize, secureBoot = 'off' }: TableRules = {},
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
    if (isApp(partition) && partition.size % (secureBoot === 'v1' ? APP_ALIGNMENT : DATA_ALIGNMENT) !== 0) {
      add('partition-size', partition);
    }
    if (partition.readOnly && (isOtaData(partition) || isCoreDump(partition))) {
      add('never-read-only', partition);
    }
    if (isNvs(partition) && !partition.readOnly && partition.size < SMALLEST_NVS) {
      add('nvs-too-small', partition);
    }
    if (partition.offset % alignmentOf(partition) !== 0) {
      add('partition-misaligned', partition);
    }
    if (partition.offset < tableOffset + tableSectorSize && !isHead(partition)) {
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
  for (const [first, second] of [isOtaData, isTeeOtaData].map((isOne) => partitions.filter(isOne))) {
    if (first !== undefined && second !== undefined) {
      add('two-ota-data', first, second);
    }
    if (first !== undefined && first.size !== OTA_DATA_SIZE) {
      add('ota-data-size', first);
    }
  }
  return findings;
}

function alignmentOf(partition: Partition): number {
  return isApp(partition) ? APP_ALIGNMENT : DATA_ALIGNMENT;
}
