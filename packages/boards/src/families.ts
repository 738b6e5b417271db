/**
 * Families of chips with a flasher, one row each: what people see of them, and their pages. The order is that of forms and
 * menus.
 */
import { basePath } from './pages.ts';

export interface Family {
  /** Vendor's spelling, in links and titles. */
  readonly name: string;
  /** Short list of the supported chips or boards. */
  readonly models: string;
  /** Path of its flasher, a document of its own. */
  readonly page: string;
  /** True: offered with a warning that the user should have another way to flash the board. */
  readonly experimental: boolean;
}

/** Stored ids, which are also in addresses, manifests and the API. */
export type FamilyId = 'esp' | 'stm' | 'nrf' | 'avr' | 'rp';

const page = (id: FamilyId): string => `${basePath}/${id}_flasher.html`;

export const families: Readonly<Record<FamilyId, Family>> = {
  esp: {
    name: 'Espressif',
    models: 'ESP32, S2, S3, C3, C6, H2, ESP8266',
    page: page('esp'),
    experimental: false,
  },
  stm: {
    name: 'STM32',
    models: 'F, G, H, L, W series over UART or USB',
    page: page('stm'),
    experimental: true,
  },
  nrf: {
    name: 'Nordic',
    models: 'nRF52 over serial DFU',
    page: page('nrf'),
    experimental: true,
  },
  avr: {
    name: 'Arduino',
    models: 'Uno, Nano, Mega, Leonardo',
    page: page('avr'),
    experimental: true,
  },
  rp: {
    name: 'Raspberry Pi',
    models: 'Pico and Pico 2',
    page: page('rp'),
    experimental: true,
  },
};

/** Rows in the order of forms and menus. */
export const allFamilies: readonly Family[] = Object.values(families);

/** Ids in the same order. */
export const familyIds = Object.keys(families) as [FamilyId, ...FamilyId[]];
