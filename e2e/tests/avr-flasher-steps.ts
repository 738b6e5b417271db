/** A person's actions on the Arduino flasher's page, for its tests. */
import type { Page } from '@playwright/test';
import { avrFirmware, avrFirmwareHex } from '@wirebench/devices';
import { connectOther } from './flasher-steps.ts';

export const greeting = 'Hello from the greenhouse.';

const sketchOptions = (size: number) => ({ lines: [greeting], size, seed: 5 });

/** Returns the HEX file of a sketch that prints a greeting at 9,600 baud when it runs. */
export const sketch = (size: number): Buffer => Buffer.from(avrFirmwareHex(sketchOptions(size)));

/** Returns the bytes of the same sketch, as flash holds them from address 0 on. */
export const sketchBytes = (size: number): Uint8Array => avrFirmware(sketchOptions(size));

/** Connects one of the simulated boards, until it is in its bootloader. */
export const connectAvrDemo = (page: Page, name = 'Demo Uno') => connectOther(page, name);
