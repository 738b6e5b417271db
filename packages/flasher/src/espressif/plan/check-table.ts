/** Finds the partition table that is in flash after the write, checks it, and finds data that it places elsewhere. */
import { addressText } from '../../core/bytes.ts';
import { findTableFaults } from '../images/partition-faults.ts';
import { type Partition, type PartitionTable, usualTableOffset } from '../images/partition-table.ts';
import { isFileSystem, isNvs } from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import type { PlacedPart } from './placed-part.ts';

/** The partition table that is in flash after the write. */
export interface TableInPlace {
  readonly table: PartitionTable;
  readonly offset: number;
  /** Name of the file or change that it comes from; null for the board's own table. */
  readonly file: string | null;
}

export function boardTable(board: EspPlanBoard | null): PartitionTable | null {
  return board === null || typeof board.table === 'string' ? null : board.table;
}

/** Returns the table of the files, otherwise that of the board. */
export function tableInPlace(files: readonly PlacedPart[], board: EspPlanBoard | null): TableInPlace | null {
  for (const { name, offset, part } of files) {
    if (part.kind === 'partition-table') {
      return { table: part.table, offset, file: name };
    }
    if (part.kind === 'merged') {
      return { table: part.table, offset: part.tableOffset - part.offset + offset, file: name };
    }
  }
  const table = boardTable(board);
  return table === null ? null : { table, offset: board?.tableOffset ?? usualTableOffset, file: null };
}

export function checkTable(
  { table, offset: tableOffset, file }: TableInPlace,
  flashSize: number | null,
  findings: EspFindings,
): void {
  const faults = findTableFaults(table, { tableOffset, flashSize: flashSize ?? undefined });
  for (const { code, what, partitions } of faults) {
    const [partition] = partitions;
    if (code === 'partition-beyond-flash' && partition !== undefined && file !== null) {
      findings.refuse('partitions-beyond-flash', {
        files: [file],
        partitions: [partition.name],
        wanted: addressText(partition.offset + partition.size),
        found: addressText(flashSize ?? 0),
      });
    } else {
      findings.warn('table-fault', { wanted: what });
    }
  }
}

/**
 * Warns of a table at an unusual offset. Builds may change the offset (`CONFIG_PARTITION_TABLE_OFFSET`), so the
 * board's existing offset counts as usual.
 */
export function checkTablePlace(files: readonly PlacedPart[], board: EspPlanBoard | null, findings: EspFindings): void {
  const wanted = board?.tableOffset ?? usualTableOffset;
  for (const { name, offset, part } of files) {
    if (part.kind === 'partition-table' && offset !== wanted) {
      findings.warn('table-misplaced', { files: [name], at: addressText(offset), wanted: addressText(wanted) });
    }
  }
}

export function checkTableIsThere(
  files: readonly PlacedPart[],
  inPlace: TableInPlace | null,
  board: EspPlanBoard | null,
  findings: EspFindings,
): void {
  const apps = files.filter(({ part, offset }) => part.kind === 'app' && offset > usualTableOffset);
  if (inPlace === null && board?.table === 'none' && apps.length > 0) {
    findings.warn('no-partition-table', { files: apps.map(({ name }) => name) });
  }
}

/** Warns of stored data that the new table places elsewhere, or does not contain. */
export function checkMovedData({ table, file }: TableInPlace, board: EspPlanBoard | null, findings: EspFindings): void {
  const before = boardTable(board);
  if (before === null || file === null) {
    return;
  }
  for (const old of before.partitions.filter((partition) => isNvs(partition) || isFileSystem(partition))) {
    const now = table.partitions.find(({ name }) => name === old.name);
    if (now?.offset !== old.offset || now.size !== old.size) {
      findings.warn(now !== undefined && keepsNvs(old, now, before) ? 'nvs-grows' : 'data-moves', {
        partitions: [old.name],
        wanted: now === undefined ? 'not there' : placeText(now),
        found: placeText(old),
      });
    }
  }
}

/**
 * Returns true for an NVS partition that keeps its start and only grows. NVS finds its pages by their own headers, and
 * takes added sectors with other contents as free pages (ESP-IDF, `nvs_page.cpp`, `Page::load`, and
 * `nvs_pagemanager.cpp`, `PageManager::load`). Pages of another NVS partition would be taken as its own.
 */
function keepsNvs(old: Partition, now: Partition, before: PartitionTable): boolean {
  const end = now.offset + now.size;
  const isOtherNvs = (other: Partition) =>
    other !== old && isNvs(other) && other.offset < end && other.offset + other.size > old.offset + old.size;
  return (
    isNvs(old) &&
    isNvs(now) &&
    now.encrypted === old.encrypted &&
    now.offset === old.offset &&
    now.size > old.size &&
    !before.partitions.some(isOtherNvs)
  );
}

function placeText({ offset, size }: { readonly offset: number; readonly size: number }): string {
  return `at ${addressText(offset)} to ${addressText(offset + size - 1)}`;
}
