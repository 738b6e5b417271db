/** Types that Espressif's boards add to the messages between page and worker. */
import type { EspTypes as EspFamilyTypes } from '@wirebench/flasher/esp';
import type { OnPort } from './flash-protocol.ts';

export type EspTypes = OnPort<EspFamilyTypes>;

export type EspFacts = EspTypes['board'];

export { type EspSettings, espSettings, type PartitionHead } from '@wirebench/flasher/esp';
