/** A person's actions on the Raspberry Pi flasher's page, for its tests. */
import type { Page } from '@playwright/test';
import { rpFirmwareUf2 } from '@wirebench/devices/rp';
import { connectOther } from './flasher-steps.ts';

export const greeting = 'Hello from the greenhouse.';

/** Returns the UF2 file of a program that prints a greeting when it runs. */
export const uf2 = (chip: 'rp2040' | 'rp2350', size = 16_384): Buffer =>
  Buffer.from(rpFirmwareUf2({ chip, text: `${greeting}\r\n`, size, seed: 5 }));

/** Connects one of the simulated boards, until it is in BOOTSEL. */
export const connectRpDemo = (page: Page, name = 'Demo Pico') => connectOther(page, name);
