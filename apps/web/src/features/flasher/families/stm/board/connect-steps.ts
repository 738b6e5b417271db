import type { StmConnectStep } from '@wirebench/flasher/stm';

/** Titles of the board's card during a connection, by step. */
export const connectSteps = {
  opening: 'Opening the port',
  resetting: 'Resetting the board',
  synchronising: 'Waiting for its bootloader',
  identifying: 'Reading the part',
  ready: 'Ready',
} satisfies Record<StmConnectStep, string>;
