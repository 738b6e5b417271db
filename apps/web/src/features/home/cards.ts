/** The cards of the home page, in the order of the arrow keys. */

import { allFamilies } from '@wirebench/boards';
import { pagePaths } from '@wirebench/contract/constants';
import { hasServer } from '../../shared/edition.ts';

export type ToolId = 'uart' | 'flasher' | 'releases';
export type CardId = ToolId | 'esp32';

export interface CardText {
  readonly name: string;
  /** Short text below the name. */
  readonly short: string;
  /** One sentence, shown while the card is selected. */
  readonly description: string;
}

export const cardText = {
  uart: {
    name: 'Serial terminal',
    short: 'Four UART ports side by side',
    description: `Up to four ports in one console, as text or hex. A JKit is a set of commands for a board, to save${hasServer ? ' and share' : ''}.`,
  },
  flasher: {
    name: 'Firmware flasher',
    short: allFamilies.map(({ name }) => name).join(', '),
    description: 'Writes and verifies firmware straight from this browser. The files stay on this computer.',
  },
  releases: {
    name: 'Firmware releases',
    short: 'Versions, files and share links',
    description:
      'Keeps the versions of your firmware with their files and offsets, and shares them as links that anyone can flash from.',
  },
  esp32: {
    name: 'ESP32 bench',
    short: 'I2C, SPI, analog and UART from a spare ESP32 board.',
    description: 'I2C, SPI, analog and UART from a spare ESP32 board.',
  },
} satisfies Record<CardId, CardText>;

export const cardOrder: readonly CardId[] = hasServer
  ? ['uart', 'flasher', 'releases', 'esp32']
  : ['uart', 'flasher', 'esp32'];

/** Target of a card. The flasher asks for the chip family first. */
export const cardPath = {
  uart: pagePaths.uart,
  releases: pagePaths.releases,
  esp32: pagePaths.esp32,
} satisfies Record<Exclude<CardId, 'flasher'>, string>;
