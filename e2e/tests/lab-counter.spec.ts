/** The bench's counter on the demo board by keyboard: its place in the order of Tab, and what its keys do. */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { leaveButton } from './lab-steps.ts';

const counter = (page: Page) => page.getByRole('region', { name: 'Counter', exact: true });

test('by keyboard: a pin that nobody uses is counted, and given back', async ({ page }) => {
  await page.goto(`${esp32BenchPage}?demo`);
  await expect(leaveButton(page)).toBeVisible();
  await page.getByRole('tab', { name: 'Device' }).press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Counter' })).toBeFocused();
  for (const name of ['Count', 'GPIO']) {
    await page.keyboard.press('Tab');
    await expect(
      name === 'GPIO' ? counter(page).getByLabel(name) : counter(page).getByRole('button', { name, exact: true }),
    ).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(counter(page).getByRole('radio', { name: 'Falling' })).toBeChecked();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(counter(page)).toContainText('0 falling edges');
  await expect(page.getByRole('radio', { name: /CNT of Counter/ })).toBeVisible();
  await counter(page).getByRole('button', { name: 'Close' }).press('Enter');
  await expect(page.getByRole('radio', { name: /CNT of Counter/ })).toBeHidden();
});
