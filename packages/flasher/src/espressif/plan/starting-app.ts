/**
 * Determines the app that starts after the write. With OTA slots, OTA data select one of them. A new app in another
 * slot is written correctly but never runs.
 */

import type { BoardChange } from '../../core/board-change.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { overlapOf } from '../../core/ranges.ts';
import { otaSlotToStart } from '../images/ota-data.ts';
import type { Partition } from '../images/partition-table.ts';
import { isApp, isOtaData, otaSlotOf } from '../images/partition-types.ts';
import type { TableInPlace } from './check-table.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspEraseChoice, EspPlanBoard } from './esp-plan-types.ts';
import { namedRange } from './kept-settings.ts';
import type { KnownFile } from './known-file.ts';
import { rangeOf, rangeOfPartition } from './placed-part.ts';

export interface StartingAppContext {
  readonly files: readonly KnownFile[];
  readonly changes: readonly BoardChange[];
  readonly inPlace: TableInPlace | null;
  readonly board: EspPlanBoard | null;
  readonly erase: EspEraseChoice;
}

/** Returns the OTA data to erase so that the new app starts. Null if it starts anyway, or if erasing does not help. */
export function otaDataToErase(
  { files, changes, inPlace, board, erase }: StartingAppContext,
  findings: EspFindings,
): NamedRange | null {
  const partitions = inPlace?.table.partitions ?? [];
  const otaPartition = partitions.find(isOtaData);
  const otaData = board?.otaData ?? null;
  const ranges = [...files.map(rangeOf), ...changes.map(({ range }) => range)];
  const isWritten = (partition: Partition) =>
    ranges.some((range) => overlapOf(range, rangeOfPartition(partition)) !== null);
  if (otaPartition === undefined || otaData === null || isWritten(otaPartition) || erase === 'all') {
    return null;
  }
  // Another table has its OTA data elsewhere, and the contents of that place are unknown.
  const before = board === null || typeof board.table === 'string' ? [] : board.table.partitions;
  if (before.find(isOtaData)?.offset !== otaPartition.offset) {
    return null;
  }
  const slots = partitions.filter((partition) => otaSlotOf(partition) !== null);
  const started =
    slots.length === 0 ? undefined : slots.find((slot) => otaSlotOf(slot) === otaSlotToStart(otaData, slots.length));
  const written = partitions.filter((partition) => isApp(partition) && isWritten(partition));
  if (started === undefined || written.length === 0 || written.includes(started)) {
    return null;
  }
  // Without OTA data the factory app starts, otherwise the first slot (`bootloader_utility.c`).
  const byDefault = partitions.find((partition) => isApp(partition) && partition.subtype === 0) ?? lowestSlot(slots);
  if (erase === 'needed' && byDefault !== undefined && written.includes(byDefault)) {
    return namedRange(otaPartition);
  }
  findings.warn('other-app-starts', { found: started.name, partitions: written.map(({ name }) => name) });
  return null;
}

function lowestSlot(slots: readonly Partition[]): Partition | undefined {
  return [...slots].sort((one, other) => one.subtype - other.subtype)[0];
}
