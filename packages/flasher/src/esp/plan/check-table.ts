/** Checks the partition table that is in flash after the write, and finds data that it places elsewhere. */
import { addressText, sizeText } from '../../core/bytes.ts';
import { findTableFaults } from '../images/partition-faults.ts';
import type { Partition, PartitionTable } from '../images/partition-table.ts';
import { isFileSystem, isNvs, isNvsKeys } from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import { boardTable, type TableInPlace } from './flash-after.ts';

export function checkTable(
  { table, offset: tableOffset, file }: TableInPlace,
  board: EspPlanBoard | null,
  findings: EspFindings,
): void {
  const flashSize = board?.info.flash?.size ?? null;
  const secureBoot = board?.bootRules?.secureBoot;
  const faults = findTableFaults(table, {
    tableOffset,
    flashSize: flashSize ?? undefined,
    ...(secureBoot !== undefined && { secureBoot }),
  });
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
        lost: `${isNvs(old) ? 'Settings' : 'Files'} that the old program stored, ${sizeText(old.size)},`,
      });
    }
  }
}

/**
 * Warns of keys that the new table places elsewhere, or does not contain. Keys cannot be moved: their encryption depends
 * on their address, and only the program can undo it.
 */
export function checkKeys({ table, file }: TableInPlace, board: EspPlanBoard | null, findings: EspFindings): void {
  const before = boardTable(board);
  const after = table.partitions.filter(isNvsKeys);
  if (file === null) {
    return;
  }
  if (before === null) {
    if (board?.table === 'not-read' && board.info.security.flashEncryption === true && after.length > 0) {
      findings.warn('keys-unread', { files: [file], partitions: after.map(({ name }) => name) });
    }
    return;
  }
  const lost = before.partitions.some(isNvs) ? lostKeys(before, table) : [];
  for (const old of lost) {
    const [now] = after;
    findings.warn('keys-move', {
      partitions: [old.name],
      wanted: now === undefined ? 'not there' : `expected in "${now.name}", ${placeText(now)}`,
      found: placeText(old),
    });
  }
}

/** Returns true if the program finds the keys of encrypted settings again. */
export function keepsKeys(before: PartitionTable, after: PartitionTable): boolean {
  return lostKeys(before, after).length === 0;
}

/**
 * Returns the partitions of keys that a program with the new table does not find. It takes those of its settings from the
 * first one, and makes new keys if it finds none (ESP-IDF, `nvs_flash_init`). Others belong to settings that it names.
 */
function lostKeys(before: PartitionTable, after: PartitionTable): Partition[] {
  const now = after.partitions.filter(isNvsKeys);
  return before.partitions.filter(isNvsKeys).filter((old, index) => {
    const place = now.findIndex(({ offset }) => offset === old.offset);
    return index === 0 ? place !== 0 : place === -1;
  });
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
