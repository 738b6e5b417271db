/** The cards of the home page, in the order in which the arrow keys walk through them. */
import { pagePaths, staticPages } from '@wirebench/contract/constants';

export type ToolId = 'uart' | 'flasher' | 'releases';
export type CardId = ToolId | 'esp32';

export interface CardText {
  readonly name: string;
  /** A few words below the name. */
  readonly short: string;
  /** One sentence, shown while the card is selected. */
  readonly description: string;
}

export const cardText = {
  uart: {
    name: 'Serial terminal',
    short: 'Four UART ports side by side',
    description:
      'Up to four ports in one console, as text or hex, with pinned commands and JKits you can save and share.',
  },
  flasher: {
    name: 'Firmware flasher',
    short: 'Espressif, STM32, Nordic',
    description: 'Writes and verifies firmware straight from this browser. The files stay on this computer.',
  },
  releases: {
    name: 'Firmware releases',
    short: 'Versions, files and share links',
    description:
      'Keeps the versions of your firmware with their files and offsets, and shares them as links that anyone can flash from.',
  },
  esp32: {
    name: 'ESP32 hardware debugger',
    short: 'Planned: turns a spare ESP32 board into an I2C scanner, SPI probe, analog sampler and UART bridge.',
    description: 'Planned: turns a spare ESP32 board into an I2C scanner, SPI probe, analog sampler and UART bridge.',
  },
} satisfies Record<CardId, CardText>;

export const cardOrder: readonly CardId[] = ['uart', 'flasher', 'releases', 'esp32'];

/** Where a card leads; the flasher asks for the chip family first. */
export const cardPath = {
  uart: pagePaths.uart,
  releases: pagePaths.releases,
  esp32: pagePaths.esp32,
} satisfies Record<Exclude<CardId, 'flasher'>, string>;

export interface ChipFamily {
  readonly name: string;
  readonly chips: string;
  readonly experimental: boolean;
  /** A document of its own. */
  readonly page: string;
}

export const chipFamilies: readonly ChipFamily[] = [
  {
    name: 'Espressif',
    chips: 'ESP32, S2, S3, C3, C6, H2, ESP8266',
    experimental: false,
    page: staticPages.espFlasher,
  },
  {
    name: 'STM32',
    chips: 'F, G, H, L, W series, UART bootloader',
    experimental: true,
    page: staticPages.stmFlasher,
  },
  { name: 'Nordic', chips: 'nRF52 over serial DFU', experimental: true, page: staticPages.nrfFlasher },
];
