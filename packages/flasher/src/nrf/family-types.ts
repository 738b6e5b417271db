/** Types that Nordic's boards supply to the interface of all families, and the settings that a write begins with. */
import type { BoardDescription } from '../family-values.ts';
import type { NrfInfo, NrfWriteOptions } from './nrf-board.ts';
import type { NrfFirmware } from './package/nrf-firmware.ts';

export interface NrfTypes {
  readonly facts: NrfBoardFacts;
  readonly settings: NrfSettings;
  /** One package or image. A bootloader takes one at a time. */
  readonly file: NrfFirmware;
  readonly action: never;
  readonly notice: never;
}

export interface NrfBoardFacts extends BoardDescription {
  readonly family: 'nrf';
  readonly info: NrfInfo;
}

export interface NrfSettings {
  readonly family: 'nrf';
  /** MCUboot only: how an image in the second slot is activated. */
  readonly activate: NonNullable<NrfWriteOptions['activate']>;
}

export const nrfSettings: NrfSettings = { family: 'nrf', activate: 'confirm' };
