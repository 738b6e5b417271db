/**
 * Fields of each family's option bytes, with the meanings of their values. Only fields that matter to users: read
 * protection, watchdogs, brown-out reset, start address, banks. They are displayed and never written.
 */
import type { StmFamilyName } from './families.ts';

export interface OptionField {
  readonly name: string;
  /** Byte offset from which `bit` counts, little endian. */
  readonly at: number;
  readonly bit: number;
  readonly width: number;
  /** Value → meaning; `other` for all values that are not listed. */
  readonly meanings: Readonly<Record<number, string>> & { readonly other?: string };
}

const level1 = 'Level 1: flash cannot be read until it has been erased';
/** RM0091 section 4.1, RM0090 section 3.9.3, RM0351 section 3.5.1, and the same in other manuals. */
const protectionMeanings = {
  170: 'Level 0: not protected',
  204: 'Level 2: the bootloader and the debug port are closed permanently',
  other: level1,
};

const field = (
  name: string,
  at: number,
  bit: number,
  width: number,
  meanings: OptionField['meanings'],
): OptionField => ({ name, at, bit, width, meanings });

const flag = (name: string, at: number, bit: number, zero: string, one: string) =>
  field(name, at, bit, 1, { 0: zero, 1: one });

const protection = (at: number) => field('RDP', at, 0, 8, protectionMeanings);
const independentWatchdog = (at: number, bit: number, name = 'IWDG_SW') =>
  flag(name, at, bit, 'The independent watchdog runs from reset on', 'The program starts the independent watchdog');
const windowWatchdog = (at: number, bit: number) =>
  flag('WWDG_SW', at, bit, 'The window watchdog runs from reset on', 'The program starts the window watchdog');
const resets = (at: number, stop: number) => [
  flag('nRST_STOP', at, stop, 'Entering Stop mode resets the part', 'Entering Stop mode does not reset the part'),
  flag('nRST_STDBY', at, stop + 1, 'Entering Standby resets the part', 'Entering Standby does not reset the part'),
];
/** Bytes with their complements (PM0075 section 2.5, RM0091 section 4, RM0316 section 4). */
const user = [independentWatchdog(2, 0, 'WDG_SW'), ...resets(2, 1)];
const writeProtection = (at: number, width: number, what: string) =>
  field('WRP', at, 0, width, {
    [2 ** width - 1]: 'Not write-protected',
    other: `A bit of 0: ${what} write-protected`,
  });
const nBoot1 = flag('nBOOT1', 2, 4, 'BOOT0 starts RAM', 'BOOT0 starts the bootloader');

const f1: readonly OptionField[] = [
  field('RDP', 0, 0, 8, { 165: 'Not protected', other: 'Flash cannot be read until it has been erased' }),
  ...user,
  writeProtection(8, 8, 'these pages are'),
];
const f0: readonly OptionField[] = [
  protection(0),
  ...user,
  nBoot1,
  flag('VDDA_MONITOR', 2, 5, 'VDDA is not watched', 'VDDA is watched'),
  writeProtection(8, 8, 'these pages are'),
];

/** RM0090 table "Option byte organization"; reset levels in "User option bytes". */
const f4: readonly OptionField[] = [
  protection(1),
  field('BOR_LEV', 0, 2, 2, { 0: 'Level 3, about 2.7 to 3.6 V', 1: 'Level 2', 2: 'Level 1', 3: 'Off' }),
  independentWatchdog(0, 5, 'WDG_SW'),
  ...resets(0, 6),
  writeProtection(8, 12, 'this sector is'),
];

/** RM0385 section 3.4.1, RM0410 section 3.4.1. */
const f7: readonly OptionField[] = [
  protection(1),
  field('BOR_LEV', 0, 2, 2, { 0: 'Level 3', 1: 'Level 2', 2: 'Level 1', 3: 'Off' }),
  windowWatchdog(0, 4),
  independentWatchdog(0, 5),
  ...resets(0, 6),
  field('BOOT_ADD0', 16, 0, 16, { other: 'Where the part starts with BOOT0 low, in units of 0x4000' }),
  field('BOOT_ADD1', 24, 0, 16, { other: 'Where the part starts with BOOT0 high, in units of 0x4000' }),
];

const brownOut = { 0: 'Level 0, about 1.7 V', 1: 'Level 1', 2: 'Level 2', 3: 'Level 3', 4: 'Level 4, about 2.8 V' };
const bootBits = (nBoot1Bit: number, software: number, nBoot0Bit: number) => [
  flag('nSWBOOT0', 0, software, 'nBOOT0 decides where the part starts', 'The BOOT0 pin decides where the part starts'),
  flag('nBOOT0', 0, nBoot0Bit, 'The part does not start its flash', 'The part starts its flash'),
  flag('nBOOT1', 0, nBoot1Bit, 'BOOT0 starts RAM', 'BOOT0 starts the bootloader'),
];
/** FLASH_OPTR of RM0351, RM0432, RM0440, section "Flash option register". */
const l4: readonly OptionField[] = [
  protection(0),
  field('BOR_LEV', 0, 8, 3, brownOut),
  ...resets(0, 12),
  independentWatchdog(0, 16),
  windowWatchdog(0, 19),
  ...bootBits(23, 26, 27),
];
/** FLASH_OPTR of RM0444. */
const g0: readonly OptionField[] = [
  protection(0),
  flag('BOR_EN', 0, 8, 'Brown-out reset at the lowest level only', 'Brown-out reset at the levels that are set'),
  ...resets(0, 13),
  independentWatchdog(0, 16),
  windowWatchdog(0, 19),
  flag('nBOOT_SEL', 0, 24, 'The BOOT0 pin decides where the part starts', 'nBOOT0 decides where the part starts'),
  flag('nBOOT0', 0, 26, 'The part does not start its flash', 'The part starts its flash'),
  flag('nBOOT1', 0, 25, 'BOOT0 starts RAM', 'BOOT0 starts the bootloader'),
];
/** FLASH_OPTR of RM0434 and RM0453. */
const wb: readonly OptionField[] = [
  protection(0),
  flag('ESE', 0, 8, 'Security is off', 'Security is on'),
  field('BOR_LEV', 0, 9, 3, brownOut),
  ...resets(0, 12),
  independentWatchdog(0, 16),
  windowWatchdog(0, 19),
  ...bootBits(23, 26, 27),
];

/** RM0367 section 3.4.1, RM0038 section 3.8.1: half-words, each followed by its complement. */
const l1: readonly OptionField[] = [
  protection(0),
  field('BOR_LEV', 4, 0, 4, { 8: 'Level 1', 9: 'Level 2', 10: 'Level 3', 11: 'Level 4', 12: 'Level 5', other: 'Off' }),
  independentWatchdog(4, 4),
  ...resets(4, 5),
];
const l0: readonly OptionField[] = [...l1, flag('nBOOT1', 4, 15, 'BOOT0 starts RAM', 'BOOT0 starts the bootloader')];

export const optionFields = {
  F0: f0,
  F1: f1,
  F2: f4,
  F3: f0,
  F4: f4,
  F7: f7,
  G0: g0,
  G4: l4,
  H7: [],
  L0: l0,
  L1: l1,
  L4: l4,
  WB: wb,
  WL: wb,
} satisfies Record<StmFamilyName, readonly OptionField[]>;
