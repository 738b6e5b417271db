/**
 * Traits of each family, one row each. Code that depends on the family asks a field. In a file of its own, because the
 * home page loads `families.ts` and has few bytes left.
 */
import type { FamilyId } from './families.ts';

export interface FamilyTraits {
  /** True: crashes of its programs are read with the program's ELF file. */
  readonly hasElf: boolean;
  /** Drawing of a board without a picture of its own: a module, a bare chip, or a board for shields. */
  readonly drawing: 'module' | 'chip' | 'shield';
  /** Address of the first byte of flash. */
  readonly flashStart: number;
  /** First address of a second memory, such as EEPROM, in files. It is above all flash. Missing: there is none. */
  readonly besideFlash?: number;
  /** True: flash is divided by a partition table, so a program may consist of files for several places. */
  readonly hasPartitions?: true;
  /** Names the parts of the board that no erase takes. The first is in its flash. Missing: there is none. */
  readonly keptByErase?: readonly [flash: string, ...others: string[]];
  /**
   * True: a model is one chip, named as in `esptool --chip`. Missing: a model covers each chip whose key begins with it:
   * `stm32f` covers `stm32f4`, `nrf52` covers `nrf52840`, and `atmega328` covers `atmega328p`.
   */
  readonly hasExactModels?: true;
  /** True: a build may require PSRAM or a revision of the chip. */
  readonly hasChipGuards?: true;
  /** True: the lines of a UART adapter start its bootloader and its program. */
  readonly hasResetLines?: true;
  /** True: its bootloader places each file, so files need no address. */
  readonly hasPlacedFiles?: true;
  /** Usual rate of its programs' output, in baud. Missing: 115,200. */
  readonly logRate?: number;
  /** True: some bootloaders are USB devices instead of serial ports. */
  readonly hasUsb?: true;
}

export const familyTraits: Readonly<Record<FamilyId, FamilyTraits>> = {
  esp: {
    hasElf: true,
    drawing: 'module',
    flashStart: 0,
    hasPartitions: true,
    hasExactModels: true,
    hasChipGuards: true,
    hasResetLines: true,
  },
  // Main flash memory (reference manuals, "Memory map").
  stm: {
    hasElf: true,
    drawing: 'chip',
    flashStart: 0x0800_0000,
    hasUsb: true,
  },
  nrf: {
    hasElf: true,
    drawing: 'module',
    flashStart: 0,
    hasPlacedFiles: true,
  },
  // EEPROM in files (avr-libc, "Memory Sections"). The sketches of the Arduino IDE print at 9,600.
  avr: {
    hasElf: false,
    drawing: 'shield',
    flashStart: 0,
    besideFlash: 0x81_0000,
    keptByErase: ['the bootloader', 'the EEPROM'],
    logRate: 9_600,
  },
  // Start of flash in the memory map (RP2040 and RP2350 datasheets, 2.2, `XIP_BASE`).
  rp: {
    hasElf: true,
    drawing: 'module',
    flashStart: 0x1000_0000,
    hasUsb: true,
    hasExactModels: true,
  },
};
