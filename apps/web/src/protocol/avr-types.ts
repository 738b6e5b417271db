/** Types that boards with an AVR add to the messages between page and worker. */
import type { AvrTypes as AvrFamilyTypes } from '@wirebench/flasher/avr';
import type { OnPort } from './flash-protocol.ts';

export type AvrTypes = OnPort<AvrFamilyTypes>;

export type AvrFacts = AvrTypes['board'];

export { type AvrSettings, avrSettings, EEPROM_START } from '@wirebench/flasher/avr';
