import type { StmEntryName } from '@wirebench/flasher/stm32';

/** How a board gets into its bootloader, as a person chooses it. The usual way first. */
export const entryText = {
  usual: 'DTR to reset, RTS to BOOT0',
  swapped: 'RTS to reset, DTR to BOOT0',
  direct: 'DTR to reset, RTS to BOOT0, BOOT0 inverted',
  'direct-swapped': 'RTS to reset, DTR to BOOT0, BOOT0 inverted',
  inverted: 'DTR to reset, RTS to BOOT0, both inverted',
  'inverted-swapped': 'RTS to reset, DTR to BOOT0, both inverted',
  manual: 'By hand: BOOT0 and the reset button',
} satisfies Record<StmEntryName, string>;

export const entryNames = Object.keys(entryText) as StmEntryName[];
