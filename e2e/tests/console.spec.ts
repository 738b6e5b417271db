/** Parts of the console that need a real browser, with a demo device: painting, a search during a flood, and marks. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { chooseView, log, message, openTerminal, startDemo, tryDemo, type } from './terminal-steps.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Find in the console' });
const rows = (page: Page) => log(page).locator('[data-direction]');

test('line endings are shown on request, marks are without findings, and a lane brings one to the lines of a time', async ({
  page,
}) => {
  await startDemo(page);

  await test.step('line endings are shown on request, and are no part of the text', async () => {
    await type(page, 'help');
    const line = log(page).locator('[data-ending]', { hasText: 'which addresses answer' }).first();
    const ending = () => line.evaluate((element) => getComputedStyle(element, '::after').content);
    expect(await ending()).toBe('none');
    await chooseView(page, 'Line endings');
    await expect.poll(ending).not.toBe('none');
    await expect(line).not.toContainText('\\r');
  });

  await test.step('the console with marks is without findings', async () => {
    await expect(log(page)).toContainText('which addresses answer');
    await field(page).fill('which');
    await field(page).press('Enter');
    await expect(log(page).locator('[data-current]')).toBeVisible();
    await message(page).focus();
    expect(await findings(page, { landmarks: true })).toEqual([]);
  });
});

test('three hundred thousand lines are searched while more come in', async ({ page }) => {
  await openTerminal(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('custom');
  await page.getByRole('textbox', { name: 'Rate' }).fill('40000000');
  await tryDemo(page);
  await type(page, 'load 4000000 3');
  await field(page).fill('"load: 300000 lines"');
  await expect(page.getByText('1 found')).toBeVisible();
  await field(page).fill('/0+ /');
  await field(page).press('Enter');
  await expect(page.getByText(/^[\d\u2009]+ of [\d\u2009]+$/)).toBeVisible();
});

test('on a phone all of the find field is on the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await field(page).fill('sdcard');
  const button = page.getByRole('button', { name: 'Show only lines that match' });
  const rightEdge = () => button.evaluate((element) => element.getBoundingClientRect().right);
  await expect.poll(rightEdge).toBeLessThanOrEqual(390);
  await button.click();
  await expect(rows(page)).toHaveCount(1);
});
