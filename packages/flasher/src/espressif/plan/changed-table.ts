/** Finds the partition table that is in flash after the files and the planned changes are written. */
import type { BoardChange } from '../../core/board-change.ts';
import { bytesAfter } from '../../core/changed-regions.ts';
import { overlapOf } from '../../core/ranges.ts';
import { orNull } from '../../images/image-error.ts';
import { readPartitionTable, tableSectorSize, usualTableOffset } from '../images/partition-table.ts';
import { type TableInPlace, tableInPlace } from './check-table.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import type { PlacedPart } from './placed-part.ts';

/** Returns the table of the files, otherwise that of a change, otherwise that of the board. */
export function tableAfter(
  files: readonly PlacedPart[],
  changes: readonly BoardChange[],
  board: EspPlanBoard | null,
): TableInPlace | null {
  const inPlace = tableInPlace(files, board);
  const offset = board?.tableOffset ?? usualTableOffset;
  const range = { offset, length: tableSectorSize };
  const changed = changes.find((change) => overlapOf(change.range, range) !== null);
  if (changed === undefined || inPlace?.file) {
    return inPlace;
  }
  const bytes = bytesAfter(changed, range);
  const table = bytes === null ? null : orNull(() => readPartitionTable(bytes));
  return table === null ? null : { table, offset, file: changed.name };
}
