/**
 * Interface to one chip: registers, identity, stub. Each chip has its own file beside this one, which is loaded when
 * such a chip answers. Facts that need no connected chip are in `chip-facts.ts`. All facts are from esptool
 * (`esptool/targets/*.py`, 2026-08) unless a file says otherwise. Register names are those of the chips' Technical
 * Reference Manuals.
 */
import type { ChipRevision, EspLink } from '../esp-info.ts';
import type { ChipName } from './chip-facts.ts';

/** Reads a register. Only addresses of the connected chip are allowed: any other may crash its ROM. */
export type ReadRegister = (address: number) => Promise<number>;

export interface Registers {
  readonly read: ReadRegister;
  /** @param mask Bits to change. Default: all. */
  write(address: number, value: number, mask?: number): Promise<void>;
  pause(milliseconds: number): Promise<void>;
}

/**
 * Register addresses of the flash chip's SPI controller, for flash commands that the ROM and the stub do not offer,
 * such as RDID.
 */
export interface SpiRegisters {
  readonly command: number;
  readonly user: number;
  /** Holds the lengths as bit fields on the ESP8266. Other chips have separate length registers. */
  readonly user1: number;
  readonly user2: number;
  readonly misoLength: number | null;
  readonly data0: number;
}

export interface ChipIdentity {
  readonly model: string;
  readonly revision: ChipRevision | null;
  readonly mac: string;
  readonly features: readonly string[];
}

/** A program for RAM, from the package `esptool-js`. */
export interface Stub {
  readonly entry: number;
  readonly text: Uint8Array;
  readonly textAddress: number;
  readonly data: Uint8Array;
  readonly dataAddress: number;
}

/**
 * Source of the crystal frequency: fixed for the chip, or derived from the divider of UART0 and the baud rate that
 * works.
 */
export type CrystalSource =
  | { readonly kind: 'fixed'; readonly megahertz: number }
  | {
      readonly kind: 'divider';
      readonly register: number;
      /** UART clock divided by the crystal frequency: 2 on the ESP8266. */
      readonly factor: number;
      readonly usual: readonly number[];
    };

/**
 * Derives the crystal: divider times baud rate is the UART clock. The nearest usual crystal is returned.
 *
 * @param word Divider register; its lower 20 bits are the integer part.
 * @returns MHz; null if `usual` is empty.
 */
export function dividedCrystal(
  { factor, usual }: Extract<CrystalSource, { kind: 'divider' }>,
  word: number,
  baudRate: number,
): number | null {
  const measured = ((word & 0xf_ffff) * baudRate) / 1e6 / factor;
  return usual.reduce<number | null>(
    (best, one) => (best === null || Math.abs(one - measured) < Math.abs(best - measured) ? one : best),
    null,
  );
}

export interface Chip {
  readonly name: ChipName;
  readonly spi: SpiRegisters;
  /** True: the ROM's begin commands have a fifth word. */
  readonly extendedBegin: boolean;
  /** True: the ROM supports SPI_ATTACH, SPI_SET_PARAMS, CHANGE_BAUDRATE and MD5. False only for the ESP8266. */
  readonly richRom: boolean;
  /**
   * The ROM writes compressed data and changes nothing else. Left out for chips on which this is false or untested.
   * The ESP32's ROM programs whole windows of 32 KiB over unrelated flash and reports success. Both cases were tested
   * with genuine ROM code.
   */
  readonly romInflatesExactly?: true;
  readonly crystal: CrystalSource;
  identify(read: ReadRegister): Promise<ChipIdentity>;
  /** Reads the security state from eFuses, for chips whose GET_SECURITY_INFO does not report it. */
  security?(read: ReadRegister): Promise<{ readonly secureBoot: boolean; readonly flashEncryption: boolean }>;
  /**
   * Prepares the chip for long operations. It stops watchdogs that the ROM leaves running on USB and turns on the
   * power of the flash.
   */
  prepare?(registers: Registers, link: EspLink, revision: ChipRevision | null): Promise<void>;
  /**
   * Prepares the chip so that the next reset starts the program and not the bootloader.
   *
   * @returns True if the chip now resets itself, so that its lines must be left alone.
   */
  leave?(registers: Registers, link: EspLink): Promise<boolean>;
  /** Returns the rate to request so that the ROM sets `rate`, for ROMs that assume another crystal. */
  romBaudRate?(rate: number, crystal: number | null, read: ReadRegister): Promise<number>;
  /** Resolves with null if there is no stub for this revision. */
  loadStub(revision: ChipRevision | null): Promise<Stub | null>;
  /**
   * True: the stub resets UART0 to the rate at which the ROM started, so the rate is changed after the stub starts.
   * These stubs raise the clock (esp-flasher-stub 1.2, `main.c`; measured on the ESP32).
   */
  readonly stubResetsBaudRate: boolean;
  /** True: in Secure Download Mode the ROM refuses CHANGE_BAUDRATE or performs it incorrectly. */
  readonly fixedRateInSecureDownload?: boolean;
}

/** Returns the SPI registers of all chips after the ESP32 (`SPI_MEM_*`). */
export function spiMemRegisters(base: number): SpiRegisters {
  return {
    command: base,
    user: base + 0x18,
    user1: base + 0x1c,
    user2: base + 0x20,
    misoLength: base + 0x28,
    data0: base + 0x58,
  };
}

/** Returns bits `from` to `from + count - 1` of a word. */
export function bits(word: number, from: number, count: number): number {
  return (word >>> from) & (2 ** count - 1);
}

/** Formats a MAC address from two words that hold its bytes in reverse order. Only the lower half of `high` is used. */
export function macText(high: number, low: number): string {
  return macOfBytes([high >>> 8, high, low >>> 24, low >>> 16, low >>> 8, low]);
}

/** Formats a MAC address from the lowest eight bits of each of six numbers. */
export function macOfBytes(bytes: readonly number[]): string {
  return bytes.map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join(':');
}

/** Returns true if an odd number of bits is set. The counters of flash encryption are evaluated this way. */
export function oddBits(word: number): boolean {
  let odd = false;
  for (let rest = word >>> 0; rest !== 0; rest &= rest - 1) {
    odd = !odd;
  }
  return odd;
}
