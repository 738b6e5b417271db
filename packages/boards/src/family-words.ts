/** Words for the chips of each family within sentences, one row each. Apart from the rows that small pages load. */
import type { FamilyId } from './families.ts';

export interface FamilyWords {
  /** One chip or board: `It is for an STM32.` */
  readonly one: string;
  /** All of them: `is for Espressif chips`. */
  readonly all: string;
  /** Vendor and chips, for a list of families. */
  readonly full: string;
  /** Label of the chips of a family whose models are boards as well. Missing: the family has chips only. */
  readonly chips?: string;
}

export const familyWords: Readonly<Record<FamilyId, FamilyWords>> = {
  esp: { one: 'an Espressif chip', all: 'Espressif chips', full: 'Espressif (ESP32, ESP8266)' },
  stm: { one: 'an STM32', all: 'STM32', full: 'STM32' },
  nrf: { one: 'a Nordic chip', all: 'Nordic chips', full: 'Nordic (nRF)' },
  avr: { one: 'an Arduino board with an AVR', all: 'Arduino boards', full: 'Arduino (AVR)', chips: 'AVR chips' },
  rp: { one: 'an RP2040 or RP2350', all: 'RP2040 and RP2350', full: 'Raspberry Pi (RP2040, RP2350)' },
};
