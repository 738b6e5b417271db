/** Frames of a demo line in Statistics: counts by message and device, and a press that filters the log. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToBeReached, expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { log, numberIn, openTerminal, openTool } from './terminal-steps.ts';

const tool = (page: Page) => page.getByRole('region', { name: 'Statistics', exact: true });
const find = (page: Page) => page.getByRole('textbox', { name: 'Find in the console' });
const pump = (page: Page) => page.getByRole('button', { name: '07 read holding registers' });

/** Units of the frames that the log shows. */
const units = (page: Page) =>
  log(page)
    .locator('[data-frame]')
    .evaluateAll((rows) => [...new Set(rows.map((row) => row.querySelectorAll('span')[1]?.textContent))]);

test('frames are counted by message and device; a press shows only those of a row, and another one all', async ({
  page,
}) => {
  await openTerminal(page);
  await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
  await page.getByRole('button', { name: 'Show frames' }).click();
  await openTool(page, 'Statistics');
  const messages = tool(page).getByRole('table', { name: 'Frames by device and message' });
  const devices = tool(page).getByRole('table', { name: 'Answers by device' });

  await test.step('the counts grow, with the newest values, the bytes that changed, and the times of answers', async () => {
    await expect(pump(page)).toBeVisible();
    const row = messages.locator('tbody').filter({ has: pump(page) });
    const before = await numberIn(row.getByRole('cell').first());
    await expect.poll(() => numberIn(row.getByRole('cell').first())).toBeGreaterThan(before);
    await expect(row).toContainText(/read 0–3: \d{4}/);
    await expect(row).toContainText(/07 03 08/);
    await expect(row.locator('mark').first()).toBeVisible();
    await expect(devices.getByRole('row', { name: /^07 \d+ \d+ [\d.]+ ms [\d.]+ ms [\d.]+ ms$/ })).toBeVisible();
    await expect(devices.getByRole('row', { name: /^09 \d+ [1-9]\d* – – –$/ })).toBeVisible();
    await expect(tool(page)).toContainText(/\d+ without an answer/);
    await expect(tool(page)).toContainText(/\d+ exceptions?/);
  });

  await test.step('by keyboard alone, a row filters the log, and lets it go again', async () => {
    await pump(page).focus();
    await page.keyboard.press('Enter');
    await expect(find(page)).toHaveValue('unit:7 function:3');
    await expect(pump(page)).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(() => units(page)).toEqual(['07']);
    // The next row, whichever it is: rows are added as their first frames come.
    await page.keyboard.press('Tab');
    await expect(messages.getByRole('button').and(page.locator(':focus'))).toHaveCount(1);
    await expect(pump(page)).not.toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(pump(page)).toBeFocused();
    await page.keyboard.press('Space');
    await expect(find(page)).toHaveValue('');
    await expect.poll(async () => (await units(page)).length).toBeGreaterThan(1);
  });

  await test.step('it is without findings and fits; on a phone a press shows the log', async () => {
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expectToFit(page);
    await expectToBeReached(pump(page));
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await expectToBeReached(devices);
    expect(await findings(page)).toEqual([]);
    await pump(page).click();
    await expect(tool(page)).toHaveCount(0);
    await expect.poll(() => units(page)).toEqual(['07']);
  });
});
