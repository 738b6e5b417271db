/** Types that boards with an RP2040 or RP2350 supply to the interface of all families, and the settings that a write begins with. */
import type { BoardConsole, BoardDescription } from '../family-values.ts';
import type { RpPlanFile } from './plan/rp-plan-types.ts';
import type { RpInfo } from './rp-board.ts';

export interface RpTypes {
  readonly facts: RpBoardFacts;
  readonly settings: RpSettings;
  readonly file: RpPlanFile;
  readonly action: never;
  readonly notice: never;
}

export interface RpBoardFacts extends BoardDescription<'rp'> {
  readonly info: RpInfo;
}

export interface RpSettings {
  readonly family: 'rp';
  /** True: the whole flash is erased before the write. */
  readonly eraseAll: boolean;
}

/** Programs on USB print once a host has set DTR (pico-sdk, `pico_stdio_usb`). */
export const rpConsole: BoardConsole = { lines: { dtr: true, rts: true }, reset: null };

export const rpSettings: RpSettings = { family: 'rp', eraseAll: false };
