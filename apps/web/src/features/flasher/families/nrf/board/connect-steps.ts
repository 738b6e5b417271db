import type { NrfConnectStep } from '@wirebench/flasher/nrf';

/** Titles of the board's card during a connection, by step. */
export const connectSteps = {
  opening: 'Opening the port',
  touching: 'Requesting the bootloader',
  'waiting-for-bootloader': 'Waiting for the bootloader',
  asking: 'Identifying the bootloader',
  ready: 'Ready',
} satisfies Record<NrfConnectStep, string>;
