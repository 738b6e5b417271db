/** Types that Nordic's boards add to the messages between page and worker. */
import type { NrfTypes as NrfFamilyTypes } from '@wirebench/flasher/nrf';
import type { OnPort } from './flash-protocol.ts';

export type NrfTypes = OnPort<NrfFamilyTypes>;

export type NrfFacts = NrfTypes['board'];

export type NrfSettings = NrfTypes['settings'];

export { nrfSettings } from '@wirebench/flasher/nrf';
