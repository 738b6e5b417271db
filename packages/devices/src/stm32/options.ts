/** How a simulated STM32 is made: which part, what is in it, how it is wired, what goes wrong. */
import type { StmFault } from './faults.ts';

export const stmPartNames = [
  'stm32f072',
  'stm32f103',
  'stm32f407',
  'stm32g071',
  'stm32h743',
  'stm32l053',
  'stm32l476',
] as const;
export type StmPartName = (typeof stmPartNames)[number];

/** Parts whose bootloader is on USB too. */
export const stmUsbPartNames = [
  'stm32f072',
  'stm32f407',
  'stm32h743',
  'stm32l476',
] as const satisfies readonly StmPartName[];
export type StmUsbPartName = (typeof stmUsbPartNames)[number];

/**
 * How long the flash takes. `instant-flash`: nothing. `real-flash`: the typical times of the part's data sheet. `slow-flash`: the maximum
 * times of the same tables.
 */
type StmProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

/** 0: open. 1: read protected; removing it erases. 2: for ever. */
export type StmProtection = 0 | 1 | 2;

/** Which control line does what. Asserted is the low level on the adapter's pin. */
export interface StmWiring {
  /** The line that drives NRST, and the state of it that holds the part in reset. */
  readonly reset: { readonly line: 'dtr' | 'rts'; readonly holdsWhen: 'asserted' | 'released' };
  /** The line that drives BOOT0, and the state of it in which BOOT0 is high. */
  readonly boot0: { readonly line: 'dtr' | 'rts'; readonly highWhen: 'asserted' | 'released' };
}

/**
 * `dtr-reset`: DTR asserted pulls NRST low, RTS asserted raises BOOT0, through transistors. `rts-reset`: the two swapped.
 * `dtr-reset-direct`, `rts-reset-direct`: the pins of an adapter as they are, so that BOOT0 is low while its line is asserted.
 * `by-hand`: DTR and RTS do nothing, as on a Nucleo's ST-LINK; `setBoot0` and `pressReset` do.
 */
export type StmWiringName = 'dtr-reset' | 'rts-reset' | 'dtr-reset-direct' | 'rts-reset-direct' | 'by-hand';

interface StmContentPart {
  /** From 0x08000000 on. */
  readonly address: number;
  readonly data: Uint8Array;
}

/** What both a part behind a UART and one on USB can be configured with. */
export interface StmChipOptions<Name extends StmPartName = StmPartName> {
  readonly part: Name;
  /** Default `instant-flash`. */
  readonly profile?: StmProfile;
  /** Bytes of flash: one of the sizes that the part comes in. Default: the first of them. */
  readonly flashSize?: number;
  /** What is in the flash when the part is made. `factory`: a small program that says hello. Default `factory`. */
  readonly content?: 'factory' | 'empty' | readonly StmContentPart[];
  /** Rate of the factory program's console, in baud. Default 115200. */
  readonly factoryBaudRate?: number;
  /** Read protection when the part is made. Default 0. */
  readonly protection?: StmProtection;
  /** Pages that are write protected when the part is made, by number. Default none. */
  readonly writeProtected?: readonly number[];
  /** 24 hexadecimal digits; left out: from the seed. */
  readonly uniqueId?: string;
  readonly faults?: readonly StmFault[];
  /** Decides the unique id, rubbish, and what half-done flash operations leave behind. Default 1. */
  readonly seed?: number;
}

export interface StmDeviceOptions extends StmChipOptions {
  /** Default `dtr-reset`. */
  readonly wiring?: StmWiringName | StmWiring;
  /** What the part hangs on: an ST-LINK's virtual port, or a CP2102. Default: `st-link` when wired `by-hand`, else `cp210x`. */
  readonly adapter?: 'st-link' | 'cp210x';
  /**
   * `attach`: the part starts when it gets power. `first-open`: when a host opens the port. `bootloader`: at attach too, with
   * BOOT0 high until `setBoot0(false)`, for hosts without control lines. Default `attach`.
   */
  readonly powerUp?: 'attach' | 'first-open' | 'bootloader';
  /** Milliseconds that NRST takes to rise when it is let go; BOOT0 counts then. Default 1: a small capacitor. */
  readonly nrstRiseTime?: number;
  /** The fastest rate, in baud, whose first byte the bootloader can still measure. Default 921600. */
  readonly highestRate?: number;
  /** The rate that the bootloader measures is off by so many percent (AN2606, Table 6: 0 to -6, by part). Default 0. */
  readonly rateError?: number;
  /**
   * A bootloader of protocol V3.3, which has Get Checksum (AN3155, Table 3). AN2606 names it for none of these parts. Default
   * false.
   */
  readonly checksum?: boolean;
}
