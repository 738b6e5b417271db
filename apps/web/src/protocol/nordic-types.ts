/** Types that Nordic's boards add to the messages between page and worker. */
import type { NordicInfo, NordicWriteOptions } from '@wirebench/flasher/nordic';
import type { BoardFacts } from './flash-protocol.ts';

export interface NrfTypes {
  readonly board: NrfFacts;
  readonly settings: NrfSettings;
  readonly action: never;
}

export interface NrfFacts extends BoardFacts {
  readonly family: 'nrf';
  readonly info: NordicInfo;
}

export interface NrfSettings {
  readonly family: 'nrf';
  /** MCUboot only: how an image in the second slot is activated. */
  readonly activate: NonNullable<NordicWriteOptions['activate']>;
}

export const nrfSettings: NrfSettings = { family: 'nrf', activate: 'confirm' };
