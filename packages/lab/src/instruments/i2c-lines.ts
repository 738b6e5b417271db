/** The wires of an I2C bus as plain pins: a bus that hangs, and pins that carry pull-ups. */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab } from '../lab.ts';
import type { Macro } from '../macro.ts';
import type { I2cPins } from './i2c.ts';

export interface I2cRecovery {
  /** Levels after the stop: both true on a free bus. */
  readonly sda: boolean;
  readonly scl: boolean;
}

export interface FindBusesOptions {
  /** Pins to try; all that may be used without a warning when left out. */
  readonly pins?: readonly number[];
  readonly onStep?: (step: FindBusesStep) => void;
  readonly signal?: AbortSignal;
}

export type FindBusesStep =
  | { readonly kind: 'pulled-up'; readonly pins: readonly number[] }
  | { readonly kind: 'trying'; readonly sda: number; readonly scl: number }
  | { readonly kind: 'found'; readonly sda: number; readonly scl: number; readonly addresses: readonly number[] };

export interface FoundBuses {
  /** Pins that stay high against the chip's own pull-down. */
  readonly pulledUp: readonly number[];
  readonly buses: readonly (I2cPins & { readonly addresses: readonly number[] })[];
}
