/** What Nordic's boards add to what page and host say to each other. */
import type { NordicInfo, NordicWriteOptions } from '@wirebench/flasher/nordic';
import type { BoardFacts } from '../../flash-protocol.ts';

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
  /** MCUboot, for an image that is written to the second slot. */
  readonly activate: NonNullable<NordicWriteOptions['activate']>;
}

export const nrfSettings: NrfSettings = { family: 'nrf', activate: 'confirm' };
