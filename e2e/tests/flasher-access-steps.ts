/** How the flashers' pages are gone through for a screen reader and on a phone. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { result, writeButton } from './flasher-steps.ts';

/** From the plan to the receipt. */
export async function expectWriteWithoutFindings(page: Page): Promise<void> {
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  expect(await findings(page)).toEqual([]);
}

/** From the receipt to a demo board that is pulled off. */
export async function expectUnplugWithoutFindings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Flash another board' }).click();
  await page.getByRole('button', { name: /^Try the Demo/ }).click();
  await expect(writeButton(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Unplug' }).click();
  await expect(page.getByRole('alert', { name: 'The board was unplugged' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
}

/** From the plan to the receipt in a window as wide as a phone. */
export async function expectWriteToFit(page: Page): Promise<void> {
  await expectToFit(page);
  await expectWriteWithoutFindings(page);
  await expectToFit(page);
}
