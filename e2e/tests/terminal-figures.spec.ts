/** The baud finder, the statistics and the export of what is shown, with a demo device. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { exported, log, openTool, startDemo, type } from './terminal-steps.ts';

const baud = (page: Page) => page.getByRole('combobox', { name: 'Baud' });

test('the rate of a board is found by listening, and applied', async ({ page }) => {
  await startDemo(page);
  await type(page, 'sensors on');
  await expect(log(page)).toContainText('temperature:');
  await baud(page).selectOption('9600');
  await page.getByRole('button', { name: 'Reopen now' }).click();
  await expect(page.getByRole('tab', { name: 'Port 1 9600 8N1 · Demo' })).toBeVisible();
  await page.getByRole('button', { name: 'Find the rate…' }).press('Enter');
  await page.getByRole('button', { name: 'Find the baud rate' }).press('Enter');
  await expect(page.getByText('The baud rate is 115200.')).toBeVisible({ timeout: 60_000 });
  const ranking = page.getByRole('list', { name: 'Rates, most likely first' });
  await expect(ranking.getByRole('listitem').first()).toContainText('temperature:');
  await expect(ranking.getByRole('listitem').first()).toContainText('of the text is readable');
  await page.getByRole('button', { name: 'Use 115200 baud' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Port 1 115200 8N1 · Demo' })).toBeVisible();
  await expect(baud(page)).toHaveValue('115200');
  await expect(ranking.getByRole('listitem').first()).toContainText('In use');
});

test('a search for the rate shows how far it is, and leaves the port open when it is cancelled', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Baud finder');
  await page.getByRole('button', { name: 'Find the baud rate' }).click();
  await expect(page.getByText(/Listening at \d+ baud, [2-9] of 9/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Rates tried' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel: stop looking for the baud rate' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Port 1 115200 8N1 · Demo' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Find the baud rate' })).toBeVisible();
});

test('the statistics count what passes, and say what to check when there are errors', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Statistics');
  const row = page.getByRole('row', { name: /Port 1/ });
  await expect(row.getByRole('cell').first()).toHaveText(/[\d.]+ K?B/);
  await expect(page.getByText('check the parity and the data bits')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Even' }).check({ force: true });
  await page.getByRole('button', { name: 'Reopen now' }).click();
  await page.getByRole('button', { name: 'Reset board' }).click();
  await expect(page.getByText('Parity errors: check the parity and the data bits.')).toBeVisible();
});

test('only the shown lines are exported, when that is chosen', async ({ page }) => {
  await startDemo(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer');
  await page.getByRole('textbox', { name: 'Find in the console' }).fill('boot:');
  await page.getByRole('button', { name: 'Show only lines that match' }).click();
  await expect(log(page)).not.toContainText('which addresses answer');
  const all = await exported(page, 'Text log');
  expect(all.bytes.toString()).toContain('which addresses answer');
  const text = await exported(page, 'Shown lines only, as text');
  const lines = text.bytes.toString().trim().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.every((line) => line.includes('boot:'))).toBe(true);
  const csv = await exported(page, 'Shown lines only, as CSV');
  expect(csv.name).toMatch(/\.csv$/);
  expect(csv.bytes.toString().trim().split('\r\n')).toHaveLength(lines.length + 1);
});

test('scopes are in the find field as chips, which go by a press', async ({ page }) => {
  await startDemo(page);
  const field = page.getByRole('textbox', { name: 'Find in the console' });
  await field.fill('dir:tx ');
  await expect(field).toHaveValue('');
  await expect(log(page).locator('[data-direction="received"]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove dir:tx' }).press('Enter');
  await expect(log(page).locator('[data-direction="received"]').first()).toBeVisible();
  await field.pressSequentially('port:1 level:error ');
  await field.press('Backspace');
  await expect(page.getByRole('button', { name: 'Remove level:error' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove port:1' })).toBeVisible();
});

test('on a phone a notice is read out wherever one is', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  await page.getByRole('button', { name: 'Port 1', exact: true }).click();
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Port 1 disconnected' })).toBeAttached();
});
