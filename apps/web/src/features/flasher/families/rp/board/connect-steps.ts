import type { RpConnectStep } from '@wirebench/flasher/rp';

/** Titles of the board's card during a connection, by step. */
export const connectSteps = {
  opening: 'Opening the device',
  touching: 'Touching the port at 1200 baud',
  resetting: 'Asking the program for BOOTSEL',
  'asking-micropython': 'Asking MicroPython for BOOTSEL',
  'waiting-for-bootsel': 'Waiting for the board in BOOTSEL',
  'press-bootsel': 'Waiting for the BOOTSEL button',
  'checking-drive': 'Reading the drive',
  identifying: 'Identifying the chip',
  ready: 'Ready',
} satisfies Record<RpConnectStep, string>;
