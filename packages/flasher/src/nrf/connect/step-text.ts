import type { NrfConnectStep } from '../nrf-board.ts';

/** Words for each step of a connection to a Nordic board, without full stop. The last step needs none: the board is known then. */
export const nrfStepText = {
  opening: 'Opening the port',
  touching: 'Asking the program to start its bootloader',
  'waiting-for-bootloader': 'Waiting for the bootloader to appear',
  asking: 'Identifying the bootloader',
} satisfies Record<Exclude<NrfConnectStep, 'ready'>, string>;
