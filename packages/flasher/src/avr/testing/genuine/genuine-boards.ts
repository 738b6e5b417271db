/**
 * Boards with genuine bootloaders: the files of Debian's package `arduino-core-avr`, and the fuses with which they are
 * burned (boards.txt of Arduino's AVR core 1.8.6).
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of an Arduino core for AVR. The variable `ARDUINO_AVR_CORE` names another one, such as Arduino's own. */
const core = process.env.ARDUINO_AVR_CORE ?? '/usr/share/arduino/hardware/arduino/avr';

export interface GenuineBoard {
  /** Name of the chip for libsimavr. */
  readonly mcu: string;
  /** Path in the folder of bootloaders. */
  readonly file: string;
  /** Low, high and extended fuse. */
  readonly fuses: readonly [low: number, high: number, extended: number];
  /** Rate of the bootloader in baud; null on the chip's own USB. */
  readonly baudRate: number | null;
  readonly usbVendorId: number;
  readonly usbProductId: number;
}

const arduinoUno = { usbVendorId: 0x2341, usbProductId: 0x0043 };
const ch340 = { usbVendorId: 0x1a86, usbProductId: 0x7523 };
const optiboot = { mcu: 'atmega328p', file: 'optiboot/optiboot_atmega328.hex', baudRate: 115_200 };
const stk500boot = {
  mcu: 'atmega2560',
  file: 'stk500v2/stk500boot_v2_mega2560.hex',
  fuses: [0xff, 0xd8, 0xfd],
  baudRate: 115_200,
} as const;

export const genuineBoards = {
  uno: { ...optiboot, ...arduinoUno, fuses: [0xff, 0xde, 0xfd] },
  /** Its high fuse starts the sketch. */
  bare: { ...optiboot, ...arduinoUno, fuses: [0xff, 0xdf, 0xfd] },
  nano: { ...optiboot, ...ch340, fuses: [0xff, 0xda, 0xfd] },
  oldNano: {
    ...ch340,
    mcu: 'atmega328p',
    file: 'atmega/ATmegaBOOT_168_atmega328.hex',
    fuses: [0xff, 0xda, 0xfd],
    baudRate: 57_600,
  },
  mega: { ...stk500boot, usbVendorId: 0x2341, usbProductId: 0x0042 },
  /** In its bootloader. Debian has no build of Caterina. */
  leonardo: {
    usbVendorId: 0x2341,
    usbProductId: 0x0036,
    mcu: 'atmega32u4',
    file: 'caterina/Caterina-Leonardo.hex',
    fuses: [0xff, 0xd8, 0xcb],
    baudRate: null,
  },
  /** A copy whose USB ids do not tell the board. */
  megaClone: { ...stk500boot, ...ch340 },
} as const satisfies Record<string, GenuineBoard>;

export type GenuineBoardName = keyof typeof genuineBoards;

export const bootloaderPath = ({ file }: GenuineBoard): string => join(core, 'bootloaders', file);

/** True if the bootloader of the board is installed. */
export const hasBootloader = (name: GenuineBoardName): boolean => existsSync(bootloaderPath(genuineBoards[name]));
