/** Types that boards with an RP2040 or RP2350 add to the messages between page and worker. */
import type { RpTypes as RpFamilyTypes } from '@wirebench/flasher/rp';
import type { OnPort } from './flash-protocol.ts';

export type RpTypes = OnPort<RpFamilyTypes>;

export type RpFacts = RpTypes['board'];

export { rpSettings } from '@wirebench/flasher/rp';
