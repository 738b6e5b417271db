import type { EspConnectStep } from '../esp-board.ts';

/** Words for each step of a connection to an Espressif board, without full stop. The last step needs none: the board is known then. */
export const espStepText = {
  opening: 'Opening the port',
  resetting: 'Resetting the board into its bootloader',
  synchronising: 'Waiting for the bootloader to answer',
  identifying: 'Identifying the chip',
  'changing-baud-rate': 'Changing the baud rate',
  'uploading-stub': 'Uploading the flashing program',
  'reading-flash-chip': 'Identifying the flash chip',
} satisfies Record<Exclude<EspConnectStep, 'ready'>, string>;
