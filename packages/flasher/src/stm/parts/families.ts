/**
 * Common properties of each family's parts. Sources: the reference manual named with each family, chapters "Embedded
 * flash memory" (option bytes, granularity, erased value) and "Device electronic signature" (size, unique ID).
 */
import type { FlashRange } from '../../core/region.ts';

const stmFamilyNames = ['F0', 'F1', 'F2', 'F3', 'F4', 'F7', 'G0', 'G4', 'H7', 'L0', 'L1', 'L4', 'WB', 'WL'] as const;

export type StmFamilyName = (typeof stmFamilyNames)[number];

export interface StmFamily {
  /** Value of erased flash; 0x00 only on L0 and L1. */
  readonly erasedValue: number;
  /** Bytes that are programmed at once. Writes begin and end at multiples of it. At least 4 (AN3155 section 3.6). */
  readonly granularity: number;
  /** True: the bootloader erases everything with one command (AN2606, "Bootloader limitations" of L0 and L1). */
  readonly massErase: boolean;
  /** Address of a half-word with the size of the flash in KiB. */
  readonly flashSizeRegister: number;
  /** Addresses of the three words of the unique ID. */
  readonly uniqueId: readonly [number, number, number];
  /** Range of readable option bytes; null if the bootloader cannot read them. */
  readonly optionBytes: FlashRange | null;
}

const words = (start: number): readonly [number, number, number] => [start, start + 4, start + 8];

const usual = { erasedValue: 0xff, massErase: true } as const;
const eeprom = { erasedValue: 0x00, massErase: false } as const;

/** RM0091 and RM0316: "Option byte description", "Device electronic signature". */
const f0: StmFamily = {
  ...usual,
  granularity: 4,
  flashSizeRegister: 0x1fff_f7cc,
  uniqueId: words(0x1fff_f7ac),
  optionBytes: { offset: 0x1fff_f800, length: 16 },
};

/** RM0033 and RM0090: sections 3.9.1 "Description of user option bytes" and 39. */
const f4: StmFamily = {
  ...usual,
  granularity: 4,
  flashSizeRegister: 0x1fff_7a22,
  uniqueId: words(0x1fff_7a10),
  optionBytes: { offset: 0x1fff_c000, length: 16 },
};

/** RM0351, RM0440, RM0444, RM0453: "Option bytes", "Device electronic signature". */
const l4: StmFamily = {
  ...usual,
  granularity: 8,
  flashSizeRegister: 0x1fff_75e0,
  uniqueId: words(0x1fff_7590),
  optionBytes: { offset: 0x1fff_7800, length: 16 },
};

export const stmFamilies = {
  F0: f0,
  /** RM0008, sections 3.3 and 30; PM0075 section 2.5. */
  F1: { ...f0, flashSizeRegister: 0x1fff_f7e0, uniqueId: words(0x1fff_f7e8) },
  F2: f4,
  F3: f0,
  F4: f4,
  /** RM0385 sections 3.4.1 and 41; F72x and F73x have other registers (RM0431 section 34), see the parts. */
  F7: {
    ...usual,
    granularity: 4,
    flashSizeRegister: 0x1ff0_f442,
    uniqueId: words(0x1ff0_f420),
    optionBytes: { offset: 0x1fff_0000, length: 32 },
  },
  G0: l4,
  G4: l4,
  /** RM0433 sections 4.3.8 (256 bits at once) and 61. Its option bytes are registers. */
  H7: {
    ...usual,
    granularity: 32,
    flashSizeRegister: 0x1ff1_e880,
    uniqueId: words(0x1ff1_e800),
    optionBytes: null,
  },
  /** RM0367 sections 3.4 and 33.2. */
  L0: {
    ...eeprom,
    granularity: 4,
    flashSizeRegister: 0x1ff8_007c,
    uniqueId: [0x1ff8_0050, 0x1ff8_0054, 0x1ff8_0064],
    optionBytes: { offset: 0x1ff8_0000, length: 20 },
  },
  /** RM0038 sections 3.8 and 31; categories 1 and 2 have other registers, see the parts. */
  L1: {
    ...eeprom,
    granularity: 4,
    flashSizeRegister: 0x1ff8_00cc,
    uniqueId: [0x1ff8_00d0, 0x1ff8_00d4, 0x1ff8_00e4],
    optionBytes: { offset: 0x1ff8_0000, length: 16 },
  },
  L4: l4,
  /** RM0434 section 3.4. */
  WB: { ...l4, optionBytes: { offset: 0x1fff_8000, length: 16 } },
  WL: l4,
} satisfies Record<StmFamilyName, StmFamily>;
