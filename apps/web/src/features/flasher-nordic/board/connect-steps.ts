import type { NordicConnectStep } from '@wirebench/flasher/nordic';

/** What the board's card says while it is being connected. */
export const connectSteps = {
  opening: 'Opening the port',
  touching: 'Requesting the bootloader',
  'waiting-for-bootloader': 'Waiting for the bootloader',
  asking: 'Identifying the bootloader',
  ready: 'Ready',
} satisfies Record<NordicConnectStep, string>;
