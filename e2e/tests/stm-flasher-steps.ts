/** A person's actions on the STM32 flasher's page, for its tests. */
import type { Page } from '@playwright/test';
import { stmFirmware } from '@wirebench/devices';
import { connectOther, openSettings } from './flasher-steps.ts';

export const greeting = 'Hello from the boiler room.';

/** Returns a program that prints a greeting when it runs. */
export const program = (size: number): Buffer => Buffer.from(stmFirmware({ text: `${greeting}\r\n`, size }));

export const flashStart = 0x0800_0000;

/** Connects one of the simulated boards, until it is in its bootloader. */
export const connectStmDemo = (page: Page, name = 'Demo STM32F407') => connectOther(page, name);

/** Selects the maximum rate of the bootloaders. */
export async function flashFast(page: Page): Promise<void> {
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
}
