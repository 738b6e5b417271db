/** What a person does on a flasher's page, for the tests of it. */

import type { Locator, Page } from '@playwright/test';
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { expect } from '../support/test.ts';

export const demoRelease = `${staticPages.espFlasher}?type=version&id=${demoReleaseId}`;

export const writeButton = (page: Page): Locator => page.getByRole('button', { name: /^Write \d files?$/ });
export const monitor = (page: Page): Locator => page.getByRole('log', { name: 'Monitor' });
export const result = (page: Page): Locator => page.getByRole('region', { name: 'Result' });

/** Connects the simulated board, up to the moment at which it waits in its bootloader. */
export async function connectDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
  await expect(page.getByRole('region', { name: 'Board', exact: true })).toContainText('Chip detected');
}

/** Adds a file as it would be chosen from a disk, and says where it goes. */
export async function addFile(page: Page, name: string, bytes: Buffer, offset: string): Promise<void> {
  await page.getByLabel('Firmware files').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
  await page.getByRole('textbox', { name: `Offset of ${name}` }).fill(offset);
}
