/** Options of a simulated STM32: part, content, wiring and faults. */
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

/** Parts whose bootloader supports USB too. */
export const stmUsbPartNames = [
  'stm32f072',
  'stm32f407',
  'stm32h743',
  'stm32l476',
] as const satisfies readonly StmPartName[];
export type StmUsbPartName = (typeof stmUsbPartNames)[number];

/**
 * Timing of the flash. `instant-flash`: no time. `real-flash`: typical times of the part's data sheet. `slow-flash`:
 * maximum times of the same tables.
 */
type StmProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

/** Level of read protection. 0: open. 1: protected, and removing the protection erases. 2: permanent. */
export type StmProtection = 0 | 1 | 2;

/** Roles of the control lines. Asserted is the low level on the adapter's pin. */
export interface StmWiring {
  /** Line that drives NRST, and its state that holds the part in reset. */
  readonly reset: { readonly line: 'dtr' | 'rts'; readonly holdsWhen: 'asserted' | 'released' };
  /** Line that drives BOOT0, and its state for which BOOT0 is high. */
  readonly boot0: { readonly line: 'dtr' | 'rts'; readonly highWhen: 'asserted' | 'released' };
}

/**
 * `dtr-reset`: DTR asserted pulls NRST low, RTS asserted raises BOOT0, through transistors. `rts-reset`: DTR and RTS
 * swapped. `dtr-reset-direct`, `rts-reset-direct`: wired directly to the adapter's pins, so that BOOT0 is low while
 * its line is asserted. `by-hand`: DTR and RTS have no effect, as on a Nucleo's ST-LINK; use `setBoot0` and
 * `pressReset`.
 */
export type StmWiringName = 'dtr-reset' | 'rts-reset' | 'dtr-reset-direct' | 'rts-reset-direct' | 'by-hand';

interface StmContentPart {
  /** Address from 0x08000000 on. */
  readonly address: number;
  readonly data: Uint8Array;
}

/** Options of both a part behind a UART and a part on USB. */
export interface StmChipOptions<Name extends StmPartName = StmPartName> {
  readonly part: Name;
  /** Default `instant-flash`. */
  readonly profile?: StmProfile;
  /** Flash size in bytes: one of the part's sizes. Default: the first of them. */
  readonly flashSize?: number;
  /** Initial content of the flash. `factory`: a small program that prints a greeting. Default `factory`. */
  readonly content?: 'factory' | 'empty' | readonly StmContentPart[];
  /** Rate of the factory program's console, in baud. Default 115200. */
  readonly factoryBaudRate?: number;
  /** Initial read protection. Default 0. */
  readonly protection?: StmProtection;
  /** Numbers of the pages that are write-protected at first. Default: none. */
  readonly writeProtected?: readonly number[];
  /** 24 hexadecimal digits. Default: from the seed. */
  readonly uniqueId?: string;
  readonly faults?: readonly StmFault[];
  /** Seed of the unique id, of garbage, and of the remains of interrupted flash operations. Default 1. */
  readonly seed?: number;
}

export interface StmDeviceOptions extends StmChipOptions {
  /** Default `dtr-reset`. */
  readonly wiring?: StmWiringName | StmWiring;
  /**
   * USB adapter: an ST-LINK's virtual port, or a CP2102. Default: `st-link` for the wiring `by-hand`, else `cp210x`.
   */
  readonly adapter?: 'st-link' | 'cp210x';
  /**
   * `attach`: the part starts when it gets power. `first-open`: it starts when a host opens the port. `bootloader`:
   * it starts at attach with BOOT0 high until `setBoot0(false)`, for hosts without control lines. Default `attach`.
   */
  readonly powerUp?: 'attach' | 'first-open' | 'bootloader';
  /**
   * Milliseconds that NRST takes to rise after its release. BOOT0 is sampled then. Default 1, for a small capacitor.
   */
  readonly nrstRiseTime?: number;
  /** Fastest rate, in baud, that the bootloader can still measure. Default 921600. */
  readonly highestRate?: number;
  /**
   * Error of the bootloader's measured rate in percent (AN2606, Table 6: 0 to -6, depending on the part). Default 0.
   */
  readonly rateError?: number;
  /**
   * True: a bootloader of protocol V3.3 with Get Checksum (AN3155, Table 3). AN2606 lists it for none of these parts.
   * Default false.
   */
  readonly checksum?: boolean;
}
