/** Options of a simulated Arduino board: type, content, adapter and faults. */
import type { AvrBoardName } from './boards.ts';
import type { AvrFault } from './faults.ts';

/**
 * Timing of the memories. `instant-flash`: no time. `real-flash`: 4.5 ms for the erase and for the write of a page,
 * 3.4 ms for a byte of the EEPROM (ATmega328P data sheet, tables 27-18 and 8-2).
 */
type AvrProfile = 'instant-flash' | 'real-flash';

interface AvrContentPart {
  /** Byte address in flash. */
  readonly address: number;
  readonly data: Uint8Array;
}

export interface AvrDeviceOptions {
  readonly board: AvrBoardName;
  /** Default `instant-flash`. */
  readonly profile?: AvrProfile;
  /**
   * Initial content of the flash below the bootloader. `factory`: a sketch that prints a line each second. `empty`: no
   * sketch. Default `factory`.
   */
  readonly content?: 'factory' | 'empty' | readonly AvrContentPart[];
  /** Initial content of the EEPROM from address 0 on. Default: erased. */
  readonly eeprom?: Uint8Array;
  /** Rate of the factory sketch, in baud. Default 9600. */
  readonly factoryBaudRate?: number;
  /** True: the factory sketch prints without a pause. Default false. */
  readonly floods?: boolean;
  /** Signature bytes of another chip of the same sizes, such as an ATmega328PB. Default: those of the board's chip. */
  readonly signature?: readonly [number, number, number];
  /** False: the bootloader was erased by another programmer, so that every reset starts the sketch. Default true. */
  readonly hasBootloader?: boolean;
  /** Lock bits as they read. 0xff: the bootloader can write to its own section. Default: those of the board. */
  readonly lockBits?: number;
  /**
   * False: DTR does not reset the board, as on boards without the capacitor. Use `pressReset`. Default true. A Leonardo
   * never resets by DTR.
   */
  readonly autoReset?: boolean;
  /** True: every opening of the port resets the board. For hosts without control lines, such as TCP. Default false. */
  readonly resetAtOpen?: boolean;
  /** The bootloader waits this many times as long for a byte: for programs on a busy machine. Default 1. */
  readonly patience?: number;
  /** Leonardo: true if the sketch does not react to the touch at 1200 baud, as one that has crashed. Default false. */
  readonly ignoresTouch?: boolean;
  /** USB adapter: the board's own, or the CH340 of compatible boards. No effect on a Leonardo. Default `genuine`. */
  readonly adapter?: 'genuine' | 'ch340';
  /** `attach`: the board starts when it gets power. `first-open`: when a host opens the port. Default `attach`. */
  readonly powerUp?: 'attach' | 'first-open';
  /** Leonardo: milliseconds until the port comes back after a reset. Default 300. */
  readonly reenumerate?: number;
  readonly faults?: readonly AvrFault[];
  /** Seed of the bootloader's code, of garbage, and of the remains of interrupted operations. Default 1. */
  readonly seed?: number;
}
