import type { AvrConnectStep } from '@wirebench/flasher/avr';

/** Titles of the board's card during a connection, by step. */
export const connectSteps = {
  opening: 'Opening the port',
  touching: 'Asking the sketch to start the bootloader',
  'waiting-for-bootloader': 'Waiting for its bootloader to appear',
  resetting: 'Resetting the board',
  synchronising: 'Waiting for its bootloader',
  'press-reset': 'Press the reset button of the board now',
  identifying: 'Reading the part',
  ready: 'Ready',
} satisfies Record<AvrConnectStep, string>;
