/** Reports placed files that are certainly not firmware, if they go to a program's place or have no offset. */
import { isBlank, notFirmwareBy } from '../../images/contents/not-firmware.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import { flashPlaceAt, isProgramPlace } from '../images/flash-places.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import { baseName } from './file-name.ts';
import type { PlacedFile, Report } from './placement.ts';

export function reportNoFirmware(files: readonly PlacedFile[], chip: ChipName | null, report: Report): void {
  const table = tableIn(files);
  for (const { name, offset, part, contents } of files) {
    const not = part.kind === 'unknown' && !isBlank(contents) ? notFirmwareBy(contents, 'espressif') : null;
    if (not !== null && (offset === null || isProgramPlace(flashPlaceAt(offset, { chip, ...table })))) {
      report('not-firmware', [baseName(name)], `${not.name}\n${not.remedy}`);
    }
  }
}

function tableIn(files: readonly PlacedFile[]): {
  readonly table: PartitionTable | null;
  readonly tableOffset?: number;
} {
  for (const { part, offset } of files) {
    if (part.kind === 'partition-table' && offset !== null) {
      return { table: part.table, tableOffset: offset };
    }
    if (part.kind === 'merged') {
      return { table: part.table, tableOffset: part.tableOffset };
    }
  }
  return { table: null };
}
