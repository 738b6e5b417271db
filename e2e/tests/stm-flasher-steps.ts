/** What a person does on the STM32 flasher's page, for the tests of it. */
import type { Page } from '@playwright/test';
import { stmFirmware } from '@wirebench/devices';
import { connectOther } from './flasher-steps.ts';

export const greeting = 'Hello from the boiler room.';

/** A program that says its greeting when it runs. */
export const program = (size: number): Buffer => Buffer.from(stmFirmware({ text: `${greeting}\r\n`, size }));

export const flashStart = 0x0800_0000;

/** Connects one of the simulated boards, up to the moment at which it waits in its bootloader. */
export const connectStmDemo = (page: Page, name = 'Demo STM32F407') => connectOther(page, name);

/** The fastest rate that the bootloaders take. */
export async function flashFast(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
}
