/** The panel of a described chip on the bench of the demo board, in every window. */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { device, initialise } from './lab-steps.ts';

const found = (page: Page) => page.getByRole('list', { name: 'Found devices' });

async function scanDemo(page: Page): Promise<void> {
  await page.goto(`${esp32BenchPage}?demo`);
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
  await page.getByRole('button', { name: 'Scan' }).click();
  await expect(found(page)).toContainText('Identified by register 0xD0 = 0x60');
}

test('axe finds nothing in the panel of a device, and it fits every window', async ({ page }) => {
  await scanDemo(page);
  await page.getByRole('button', { name: 'Open JKit for 0x76' }).click();
  await initialise(page);
  await device(page).getByRole('button', { name: 'Read once' }).click();
  await expect(device(page)).toContainText('hPa');
  for (const view of ['Readings', 'Registers', 'Register map']) {
    await device(page).getByLabel('Show', { exact: true }).selectOption(view);
    expect(await findings(page, { landmarks: true })).toEqual([]);
  }
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [720, 450],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectToFit(page);
  }
  await page.getByRole('navigation', { name: 'Bench' }).getByRole('button', { name: 'Device' }).click();
  await expect(device(page)).toBeVisible();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});
