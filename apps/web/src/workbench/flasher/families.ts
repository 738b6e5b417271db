/**
 * The families of chips that have a flasher: what every page may show of them, and the types of their boards. Navigation and home
 * page load this at once, so it has no code of a family: `host/start-host.ts` fetches what runs beside the ports, the family's
 * entry its page.
 */
import { type FlasherFamily, flasherPages } from '@wirebench/contract/constants';
import type { EspTypes } from './host/esp/esp-types.ts';
import type { NrfTypes } from './host/nrf/nrf-types.ts';
import type { StmTypes } from './host/stm/stm-types.ts';

export interface Family {
  /** Of its flasher in links and titles. */
  readonly name: string;
  /** Address of its flasher, a document of its own. */
  readonly page: string;
  /** As a sentence calls them: `is for Espressif chips`. */
  readonly chips: string;
  /** Which they are, in a few words. */
  readonly models: string;
  /** Offered with a warning: keep another way to flash the board at hand. */
  readonly experimental: boolean;
  /** Address where flash begins. */
  readonly flashStart: number;
}

/** In the order in which they are offered. */
export const families = {
  esp: {
    name: 'Espressif',
    page: flasherPages.esp,
    chips: 'Espressif chips',
    models: 'ESP32, S2, S3, C3, C6, H2, ESP8266',
    experimental: false,
    flashStart: 0,
  },
  stm: {
    name: 'STM32',
    page: flasherPages.stm,
    chips: 'STM32',
    models: 'F, G, H, L, W series, UART or USB bootloader',
    experimental: true,
    flashStart: 0x0800_0000,
  },
  nrf: {
    name: 'Nordic',
    page: flasherPages.nrf,
    chips: 'Nordic chips',
    models: 'nRF52 over serial DFU',
    experimental: true,
    flashStart: 0,
  },
} as const satisfies Record<FlasherFamily, Family>;

export const allFamilies: readonly Family[] = Object.values(families);

/** What each family puts in the place of board, settings and action (`FamilyTypes`). */
interface TypesOf {
  readonly esp: EspTypes;
  readonly stm: StmTypes;
  readonly nrf: NrfTypes;
}

export type AnyFamily = TypesOf[FlasherFamily];

export type ConnectedBoard = AnyFamily['board'];
export type OwnSettings = AnyFamily['settings'];
export type BoardAction = AnyFamily['action'];
