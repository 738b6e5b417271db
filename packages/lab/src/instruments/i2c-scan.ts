/** Asking all addresses of an I2C bus: many macros, three probes in flight. */
import type { Lab } from '../lab.ts';
import { type I2cAnswer, i2cProbe, i2cProbeSetup, i2cUp, type I2cSettings } from './i2c.ts';

/** All but the reserved addresses (UM10204, section 3.1.12). */
export const scannedAddresses = { first: 0x08, last: 0x77 } as const;

export interface I2cScan extends I2cSettings {
  readonly first?: number;
  readonly last?: number;
  /** Called for each address that acknowledges, in order of addresses. */
  readonly onFound?: (address: number) => void;
  /** Called after each address: how many of how many. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export interface I2cScanReport {
  readonly found: readonly number[];
  /** The bus was not free: the scan ended there, and what it had found so far may be wrong. */
  readonly stuck: boolean;
}
