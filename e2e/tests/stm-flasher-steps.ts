/** What a person does on the STM32 flasher's page, for the tests of it. */
import type { Page } from '@playwright/test';
import { stmFirmware } from '@wirebench/devices';
import { expect } from '../support/test.ts';

export const greeting = 'Hello from the boiler room.';

/** A program that says its greeting when it runs. */
export const program = (size: number): Buffer => Buffer.from(stmFirmware({ text: `${greeting}\r\n`, size }));

export const flashStart = 0x0800_0000;

export const board = (page: Page) => page.getByRole('region', { name: 'Board', exact: true });
export const plan = (page: Page) => page.getByRole('region', { name: 'Plan' });

/** Connects one of the simulated boards, up to the moment at which it waits in its bootloader. */
export async function connectStmDemo(page: Page, name = 'Demo STM32F407'): Promise<void> {
  await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await expect(board(page)).toContainText('Chip detected');
}

/** The fastest rate that the bootloaders take. */
export async function flashFast(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
}

export async function addFirmware(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.getByLabel('Firmware files').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
}
