/** The chips that the lab knows. Another one is a table beside these and a line here. */
import type { EspInfo } from '@wirebench/flasher/espressif/rom';
import { esp32 } from './esp32.ts';
import { esp32c3 } from './esp32c3.ts';
import type { ChipCircumstances, ChipTable, LabChip, LabChipName } from './lab-chip.ts';

const tables = { esp32, esp32c3 } satisfies Record<LabChipName, ChipTable>;

export function isLabChip(name: EspInfo['chip']): name is LabChipName {
  return Object.hasOwn(tables, name);
}

/** A chip's table, narrowed by package and link; by what is usual where nothing is given. */
export function labChip(name: LabChipName, circumstances: Partial<ChipCircumstances> = {}): LabChip {
  return tables[name]({ link: 'uart', packageName: null, crystal: 40, ...circumstances });
}
