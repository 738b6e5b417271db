/** Types that boards with an AVR add to the messages between page and worker. */
import type { AvrInfo } from '@wirebench/flasher/avr';
import type { BoardFacts } from './flash-protocol.ts';

export interface AvrTypes {
  readonly board: AvrFacts;
  readonly settings: AvrSettings;
  readonly action: never;
}

export interface AvrFacts extends BoardFacts {
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
