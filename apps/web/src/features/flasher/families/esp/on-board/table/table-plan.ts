/** Edits of a partition table: rows of text, their faults, and the planned change. */
import type { FlashRange } from '@wirebench/flasher/core';
import {
  encodePartitionTable,
  findTableFaults,
  formatPartitionCsv,
  formatSize,
  type Partition,
  PartitionCsvError,
  type PartitionLoss,
  parsePartitionCsv,
  partitionLosses,
} from '@wirebench/flasher/esp';
import { addressText } from '../../../../../../shared/format/hex.ts';
import type { PlannedChange } from '../../../../store/board-changes.ts';

/** Fields of a partition as text, as in a line of the CSV. */
export interface TableRow {
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
  readonly offset: string;
  readonly size: string;
  readonly flags: string;
}

export const tableFields = ['name', 'type', 'subtype', 'offset', 'size', 'flags'] as const;

export interface TableDraft {
  readonly rows: readonly TableRow[];
}

export const emptyRow: TableRow = { name: '', type: 'data', subtype: '', offset: '', size: '', flags: '' };

/** Returns the rows of a table. */
export function rowsOf(partitions: readonly Partition[]): TableRow[] {
  return formatPartitionCsv(partitions)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', type = '', subtype = '', offset = '', size = '', flags = ''] = line.split(',');
      return { name, type, subtype, offset, size, flags };
    });
}

export interface ReadRows {
  /** Null if a row is no partition. */
  readonly partitions: readonly Partition[] | null;
  /** Sentences. The table can be written only without faults. */
  readonly faults: readonly string[];
  /** Index of the row that is no partition; null if all are. */
  readonly faultyRow: number | null;
}

/**
 * @param flashSize In bytes; null if unknown.
 * @param bootloaderOffset Flash offset of the chip's bootloader, for rows without one; null if unknown.
 */
export function readRows(
  rows: readonly TableRow[],
  tableOffset: number,
  flashSize: number | null,
  bootloaderOffset: number | null = null,
): ReadRows {
  const comma = rows.findIndex((row) => tableFields.some((field) => /[,\n#]/.test(row[field])));
  if (comma >= 0) {
    return { partitions: null, faults: [`Row ${comma + 1}: commas and # are not allowed.`], faultyRow: comma };
  }
  if (rows.length === 0) {
    return { partitions: null, faults: ['A table needs at least one partition.'], faultyRow: null };
  }
  try {
    const text = rows.map((row) => tableFields.map((field) => row[field]).join(',')).join('\n');
    const partitions = parsePartitionCsv(text, tableOffset, { bootloaderOffset, ignoresFields: false });
    const table = { partitions, hasMd5: true, size: 0 };
    const faults = findTableFaults(table, { tableOffset, flashSize: flashSize ?? undefined }).map(({ what }) => what);
    const tooMany = partitions.length > 94 ? ['A table holds at most 94 partitions.'] : [];
    return { partitions, faults: [...faults, ...tooMany], faultyRow: null };
  } catch (error) {
    if (error instanceof PartitionCsvError) {
      return { partitions: null, faults: [`Row ${error.line}: ${error.message}`], faultyRow: error.line - 1 };
    }
    throw error;
  }
}

export interface TablePlace {
  /** Name of the entry. */
  readonly name: string;
  /** Sector of the table. */
  readonly range: FlashRange;
  /** The sector as it is now, and its MD5. */
  readonly contents: Uint8Array;
  readonly md5: string;
  /** Partitions in flash; empty without a table. */
  readonly before: readonly Partition[];
}

/** Returns the planned change; null if the new table is the one in flash. */
export function planTable(
  place: TablePlace,
  rows: readonly TableRow[],
  after: readonly Partition[],
): PlannedChange<TableDraft> | null {
  const sector = place.contents.slice();
  sector.set(encodePartitionTable(after));
  if (sector.every((byte, index) => byte === place.contents[index])) {
    return null;
  }
  const entries = differences(place.before, after);
  const lost = partitionLosses({ partitions: place.before }, { partitions: after }).filter(
    ({ kind }) => kind !== 'grown',
  );
  return {
    change: {
      name: place.name,
      range: place.range,
      basis: place.md5,
      erases: [],
      writes: [{ offset: place.range.offset, bytes: sector }],
    },
    what: 'a changed partition table',
    title: 'Change the partition table',
    count: Math.max(1, entries.length),
    entries,
    note: lost.length === 0 ? 'No partition loses its data' : lost.map(lossText).join(' '),
    draft: { rows },
  };
}

function differences(before: readonly Partition[], after: readonly Partition[]): string[] {
  const gone = before.filter(({ name }) => after.every((one) => one.name !== name));
  const changed = after.flatMap((now) => {
    const old = before.find(({ name }) => name === now.name);
    if (old === undefined) {
      return [`${now.name} added at ${addressText(now.offset)}, ${formatSize(now.size)}`];
    }
    const parts = [
      old.offset === now.offset ? '' : `${addressText(old.offset)} → ${addressText(now.offset)}`,
      old.size === now.size ? '' : `${formatSize(old.size)} → ${formatSize(now.size)}`,
      old.type === now.type && old.subtype === now.subtype ? '' : 'another type',
      old.encrypted === now.encrypted && old.readOnly === now.readOnly ? '' : 'other flags',
    ].filter((part) => part !== '');
    return parts.length === 0 ? [] : [`${now.name} ${parts.join(', ')}`];
  });
  return [...changed, ...gone.map(({ name }) => `${name} deleted`)];
}

/** Says what programs no longer find. */
export function lossText({ partition: { name, offset }, kind, now }: PartitionLoss): string {
  switch (kind) {
    case 'gone':
      return `${name}: no program finds its data any more.`;
    case 'moved':
      return `${name}: its data stay at ${addressText(offset)} and are not moved to ${addressText(now?.offset ?? 0)}.`;
    case 'cut':
      return `${name}: everything behind ${addressText(offset + (now?.size ?? 0))} is cut off.`;
    case 'grown':
      return `${name}: file systems keep their size until they are formatted.`;
    case 'retyped':
      return `${name}: its data are of another type.`;
  }
}
