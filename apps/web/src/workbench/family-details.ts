/**
 * Details of the families of chips. A file of its own, because navigation and the home page show none of them and have
 * a limit on the size of their script.
 */
import type { FlasherFamily } from '@wirebench/contract/constants';

export interface FamilyDetails {
  /** Words for its chips within a sentence: `is for Espressif chips`. */
  readonly chips: string;
  /** Address of the first byte of flash. */
  readonly flashStart: number;
  /** Address behind all flash: files have data for other memories from there on. Infinity: they have none. */
  readonly flashEnd: number;
}

export const familyDetails: Readonly<Record<FlasherFamily, FamilyDetails>> = {
  esp: { chips: 'Espressif chips', flashStart: 0, flashEnd: Number.POSITIVE_INFINITY },
  stm: { chips: 'STM32', flashStart: 0x0800_0000, flashEnd: Number.POSITIVE_INFINITY },
  nrf: { chips: 'Nordic chips', flashStart: 0, flashEnd: Number.POSITIVE_INFINITY },
  avr: { chips: 'Arduino boards', flashStart: 0, flashEnd: 0x80_0000 },
};
