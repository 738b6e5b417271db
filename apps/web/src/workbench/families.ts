/**
 * Describes the families of chips that have a flasher, and maps each to the types of its boards. Navigation and home
 * page load this file at once, so it contains no code of a family.
 * `worker/flasher/start-worker.ts` fetches the code that runs beside the ports. The family's entry fetches its page.
 */
import { type FlasherFamily, flasherPages } from '@wirebench/contract/constants';
import type { AvrTypes } from '../protocol/avr-types.ts';
import type { EspTypes } from '../protocol/esp-types.ts';
import type { NrfTypes } from '../protocol/nordic-types.ts';
import type { StmTypes } from '../protocol/stm-types.ts';

export interface Family {
  /** Name in links and titles. */
  readonly name: string;
  /** Path of its flasher, a document of its own. */
  readonly page: string;
  /** Short list of the supported chips. */
  readonly models: string;
  /** True: offered with a warning that the user should have another way to flash the board. */
  readonly experimental: boolean;
}

/** Ordered as the pages offer them. */
export const families = {
  esp: {
    name: 'Espressif',
    page: flasherPages.esp,
    models: 'ESP32, S2, S3, C3, C6, H2, ESP8266',
    experimental: false,
  },
  stm: {
    name: 'STM32',
    page: flasherPages.stm,
    models: 'F, G, H, L, W series over UART or USB',
    experimental: true,
  },
  nrf: {
    name: 'Nordic',
    page: flasherPages.nrf,
    models: 'nRF52 over serial DFU',
    experimental: true,
  },
  avr: {
    name: 'Arduino',
    page: flasherPages.avr,
    models: 'Uno, Nano, Mega, Leonardo',
    experimental: true,
  },
} as const satisfies Record<FlasherFamily, Family>;

export const allFamilies: readonly Family[] = Object.values(families);

/** Maps each family to its types of board, settings and action (`FamilyTypes`). */
interface TypesOf {
  readonly esp: EspTypes;
  readonly stm: StmTypes;
  readonly nrf: NrfTypes;
  readonly avr: AvrTypes;
}

export type AnyFamily = TypesOf[FlasherFamily];

export type ConnectedBoard = AnyFamily['board'];
export type OwnSettings = AnyFamily['settings'];
export type BoardAction = AnyFamily['action'];
