/**
 * How the client talks to one chip: registers, identity, stub. Each chip has a file of its own beside this one, loaded when such a
 * chip answers. What is known of a chip without one at hand is its record in `chip-facts.ts`.
 * All facts are from esptool (`esptool/targets/*.py`, 2026-08) unless a file says otherwise; register names are those of the
 * chips' Technical Reference Manuals.
 */
import type { ChipRevision, EspLink } from '../esp-info.ts';
import type { ChipName } from './chip-facts.ts';

/** Reads a register. Only addresses of the chip that is connected: any other crashes its ROM. */
export type ReadRegister = (address: number) => Promise<number>;

export interface Registers {
  readonly read: ReadRegister;
  /** @param mask bits to change; all when left out. */
  write(address: number, value: number, mask?: number): Promise<void>;
  /** Waits for so many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}

/** SPI controller of the flash chip: addresses for commands that the chip has no command for, such as RDID. */
export interface SpiRegisters {
  readonly command: number;
  readonly user: number;
  /** Lengths: in two registers of their own, or (ESP8266) as fields of `user1`. */
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

/** A program for RAM, as `esptool-js` packs it. */
export interface Stub {
  readonly entry: number;
  readonly text: Uint8Array;
  readonly textAddress: number;
  readonly data: Uint8Array;
  readonly dataAddress: number;
}

/** How to learn the crystal: always the same, or told by the divider of UART0, which made the baud rate that works. */
export type CrystalSource =
  | { readonly kind: 'fixed'; readonly megahertz: number }
  | {
      readonly kind: 'divider';
      readonly register: number;
      /** UART clock by crystal: 2 on ESP8266. */
      readonly factor: number;
      readonly usual: readonly number[];
    };

/**
 * The divider times the rate that works is the clock that it divides; the crystal is the usual one that is nearest to that.
 * @param word of the divider's register, whose lower 20 bits are whole numbers
 * @returns MHz; null where no crystal is usual
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
  /** The ROM's begin commands have a fifth word. */
  readonly extendedBegin: boolean;
  /** The ROM knows SPI_ATTACH, SPI_SET_PARAMS, CHANGE_BAUDRATE and MD5: all but the ESP8266. */
  readonly richRom: boolean;
  /**
   * The ROM writes compressed data and touches nothing else. Left out where that is not so or was not tried: the ESP32's ROM
   * programs whole windows of 32 KiB, over flash that is not meant, and answers well (genuine ROM code of both was run).
   */
  readonly romInflatesExactly?: true;
  readonly crystal: CrystalSource;
  identify(read: ReadRegister): Promise<ChipIdentity>;
  /** From eFuses, where GET_SECURITY_INFO does not tell. */
  security?(read: ReadRegister): Promise<{ readonly secureBoot: boolean; readonly flashEncryption: boolean }>;
  /** What has to be done before anything that takes long: watchdogs that the ROM leaves running on USB, power of the flash. */
  prepare?(registers: Registers, link: EspLink, revision: ChipRevision | null): Promise<void>;
  /**
   * What has to be done so that the next reset starts the program and not the bootloader. True: the chip resets itself now, and its
   * lines must be left alone.
   */
  leave?(registers: Registers, link: EspLink): Promise<boolean>;
  /** Rate to ask the ROM for, so that it sets `rate`: ROMs that take the crystal for another one. */
  romBaudRate?(rate: number, crystal: number | null, read: ReadRegister): Promise<number>;
  /** Null when there is no stub for this revision. */
  loadStub(revision: ChipRevision | null): Promise<Stub | null>;
  /**
   * The stub sets UART0 back to the rate at which the ROM started: change it once the stub runs, not before (esp-flasher-stub
   * 1.2, `main.c`, which raises the clock on these chips; ESP32 measured).
   */
  readonly stubResetsBaudRate: boolean;
  /** Secure Download Mode refuses CHANGE_BAUDRATE or does it wrongly. */
  readonly fixedRateInSecureDownload?: boolean;
}

/** SPI registers of all chips after the ESP32 (`SPI_MEM_*`). */
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

/** Bits `from` to `from + count - 1` of a word. */
export function bits(word: number, from: number, count: number): number {
  return (word >>> from) & (2 ** count - 1);
}

/** MAC address from the two words that hold its bytes backwards, of `high` the lower half. */
export function macText(high: number, low: number): string {
  return macOfBytes([high >>> 8, high, low >>> 24, low >>> 16, low >>> 8, low]);
}

/** MAC address from the lowest eight bits of each of six numbers. */
export function macOfBytes(bytes: readonly number[]): string {
  return bytes.map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join(':');
}

/** True when an odd number of bits is set: how the counters of flash encryption count. */
export function oddBits(word: number): boolean {
  let odd = false;
  for (let rest = word >>> 0; rest !== 0; rest &= rest - 1) {
    odd = !odd;
  }
  return odd;
}
