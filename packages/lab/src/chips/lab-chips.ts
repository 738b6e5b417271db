/** The chips that the lab supports. Another chip needs a table beside these and an entry here. */
import type { EspInfo } from '@wirebench/flasher/esp/rom';
import { esp32 } from './esp32.ts';
import { esp32c3 } from './esp32c3.ts';
import type { ChipCircumstances, ChipTable, LabChip, LabChipName } from './lab-chip.ts';

const tables = { esp32, esp32c3 } satisfies Record<LabChipName, ChipTable>;

export function isLabChip(name: EspInfo['chip']): name is LabChipName {
  return Object.hasOwn(tables, name);
}

/**
 * Returns a chip's table, narrowed by package and link. Missing circumstances default to UART, no package and 40 MHz.
 */
export function labChip(name: LabChipName, circumstances: Partial<ChipCircumstances> = {}): LabChip {
  return tables[name]({ link: 'uart', packageName: null, crystal: 40, ...circumstances });
}
