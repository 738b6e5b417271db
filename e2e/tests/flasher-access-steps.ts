/** Accessibility checks of the flashers' pages, for screen readers and on a phone. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { result, writeButton } from './flasher-steps.ts';

const desktop = { width: 1_440, height: 900 };
const phone = { width: 390, height: 844 };

/** Checks that the page also fits the width of a phone. */
export async function expectToFitPhone(page: Page): Promise<void> {
  await page.setViewportSize(phone);
  await expectToFit(page);
  await page.setViewportSize(desktop);
}

/** Checks from the plan to the receipt, on a desktop and a phone. */
export async function expectWriteWithoutFindings(page: Page): Promise<void> {
  await expectToFitPhone(page);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize(phone);
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize(desktop);
}

/** Checks from the receipt to an unplugged demo board. */
export async function expectUnplugWithoutFindings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: /^Try the Demo/ }).click();
  await expect(writeButton(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Unplug' }).click();
  await expect(page.getByRole('alert', { name: 'The board was unplugged' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
}
