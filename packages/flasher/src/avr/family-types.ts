/** Types that AVR boards supply to the interface of all families, and the settings that a write begins with. */
import type { BoardDescription } from '../family-values.ts';
import type { AvrInfo } from './avr-board.ts';
import type { AvrPlanFile } from './plan/avr-plan-types.ts';

export interface AvrTypes {
  readonly facts: AvrBoardFacts;
  readonly settings: AvrSettings;
  readonly file: AvrPlanFile;
  readonly action: never;
  readonly notice: never;
}

export interface AvrBoardFacts extends BoardDescription {
  readonly family: 'avr';
  readonly info: AvrInfo;
}

export interface AvrSettings {
  readonly family: 'avr';
  /** The only rate to ask at, in baud. Null: 115,200 is tried, then 57,600. */
  readonly rate: number | null;
  /** `lines`: DTR and RTS reset the board, or a touch at 1,200 baud. `hand`: a person presses the reset button. */
  readonly reset: 'lines' | 'hand';
  /** True: files with EEPROM data are written to EEPROM. False: EEPROM keeps what it has. */
  readonly writesEeprom: boolean;
  /** True: all flash but the bootloader is erased before the write. */
  readonly eraseAll: boolean;
}

export const avrSettings: AvrSettings = {
  family: 'avr',
  rate: null,
  reset: 'lines',
  writesEeprom: true,
  eraseAll: false,
};

/**
 * Address of the first byte of EEPROM in ranges and regions, as the linker of avr-gcc places `.eeprom`
 * (avr-libc, "Memory Sections"). Flash begins at 0 and has at most 256 KiB.
 */
export const EEPROM_START = 0x81_0000;
