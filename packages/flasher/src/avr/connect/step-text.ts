import type { AvrConnectStep } from '../avr-board.ts';

/** Words for each step of a connection to an AVR, without full stop. The last step needs none: the board is known then. */
export const avrStepText = {
  opening: 'Opening the port',
  touching: 'Asking the program to start the bootloader',
  'waiting-for-bootloader': 'Waiting for the bootloader',
  resetting: 'Resetting the board',
  synchronising: 'Waiting for the bootloader to answer',
  'press-reset': 'Press the reset button of the board now',
  identifying: 'Identifying the part',
} satisfies Record<Exclude<AvrConnectStep, 'ready'>, string>;
