import type { StmConnectStep } from '@wirebench/flasher/stm32';

/** What the board's card says while it is being connected. */
export const connectSteps = {
  opening: 'Opening the port',
  resetting: 'Resetting the board',
  synchronising: 'Waiting for its bootloader',
  identifying: 'Reading the part',
  ready: 'Ready',
} satisfies Record<StmConnectStep, string>;
