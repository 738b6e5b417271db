import type { EspConnectStep } from '@wirebench/flasher/esp';

/** Titles of the board's card during a connection, by step. */
export const connectSteps = {
  opening: 'Opening the port',
  resetting: 'Resetting the board',
  synchronising: 'Waiting for its bootloader',
  identifying: 'Reading the chip',
  'changing-baud-rate': 'Changing the baud rate',
  'uploading-stub': 'Uploading the flashing program',
  'reading-flash-chip': 'Reading the flash chip',
  ready: 'Ready',
} satisfies Record<EspConnectStep, string>;
