/** The tips above the log, in windows of two widths. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { log } from './terminal-steps.ts';

const hint = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });

/** Closes the browser's dialog without a choice; a headless browser does not show it. */
const closeDialog = (page: Page) =>
  page.addInitScript(() => {
    navigator.serial.requestPort = () => Promise.reject(new DOMException('No port selected.', 'NotFoundError'));
  });

test('hints are without findings, also on a phone', async ({ page }) => {
  await closeDialog(page);
  await page.goto('/app/uart?baud=fast');
  await page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(hint(page)).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'No board was chosen' })).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
  }
  await expect(log(page)).toHaveCount(0);
});
