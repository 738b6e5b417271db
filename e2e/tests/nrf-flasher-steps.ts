/** What a person does on the Nordic flasher's page, for the tests of it. */
import type { Page } from '@playwright/test';
import { nordicFirmware } from '@wirebench/devices';
import { expect } from '../support/test.ts';

export const board = (page: Page) => page.getByRole('region', { name: 'Board', exact: true });
export const plan = (page: Page) => page.getByRole('region', { name: 'Plan' });

const demos = {
  'Demo nRF52840': 'Secure DFU (nRF5 SDK)',
  'Demo Feather nRF52840': 'Adafruit nRF52',
  'Demo nRF52840 with MCUboot': 'MCUboot (nRF Connect SDK)',
} as const;

/** Up to the moment at which the board waits in its bootloader. */
export async function connectNordicDemo(page: Page, label: keyof typeof demos): Promise<void> {
  await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
  await expect(board(page)).toContainText('Chip detected');
  await expect(board(page)).toContainText(demos[label]);
}

/** Adds firmware as it would be chosen from a disk. */
export async function addFirmware(page: Page, options: Parameters<typeof nordicFirmware>[0]): Promise<void> {
  const { name, bytes } = nordicFirmware(options);
  await page
    .getByLabel('Firmware files')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
}
