/** The console with a demo device: times, finding and filtering, several ports, and copying more than is on the screen. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import {
  chooseFrom,
  clearLog,
  connectDemo,
  held,
  log,
  message,
  numberIn,
  openTerminal,
  prompt,
  startDemo,
  tryDemo,
  type,
} from './terminal-steps.ts';

const field = (page: Page) => page.getByRole('textbox', { name: 'Find in the console' });
const alert = (page: Page) => page.getByRole('region', { name: 'Console' }).getByRole('alert');
const rows = (page: Page) => log(page).locator('[data-direction]');

test('the time in front of a line is the clock, since the start, since the previous line, or nothing', async ({
  page,
}) => {
  await startDemo(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer');
  const times = () => log(page).locator('time').allTextContents();
  await expect.poll(async () => (await times()).every((time) => /^\d\d:\d\d:\d\d\.\d{3}$/.test(time))).toBe(true);
  await chooseFrom(page, 'Time', 'Since start');
  await expect.poll(async () => (await times()).every((time) => /^(\d+:)?\d+\.\d{3}$/.test(time))).toBe(true);
  await chooseFrom(page, 'Time', 'Since previous line');
  await expect.poll(async () => (await times()).slice(1).every((time) => /^\+\d+\.\d{3}$/.test(time))).toBe(true);
  await chooseFrom(page, 'Time', 'Off');
  await expect.poll(async () => (await times()).join('')).toBe('');
  await openTerminal(page);
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Off' })).toBeChecked();
});

test('line endings are shown on request, and are no part of the text', async ({ page }) => {
  await startDemo(page);
  await type(page, 'help');
  const line = log(page).locator('[data-ending]', { hasText: 'which addresses answer' }).first();
  const ending = () => line.evaluate((element) => getComputedStyle(element, '::after').content);
  expect(await ending()).toBe('none');
  await chooseFrom(page, 'Time', 'Line endings');
  await expect.poll(ending).not.toBe('none');
  await expect(line).not.toContainText('\\r');
});

test('what is looked for is counted, marked and stepped through by the keyboard', async ({ page }) => {
  await startDemo(page);
  await clearLog(page);
  await type(page, 'load 10000 2');
  await expect(log(page)).toContainText('load: 500 lines, 20000 bytes');
  await log(page).focus();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  await field(page).fill('load:');
  await expect(page.getByText('2 found')).toBeVisible();
  await expect(log(page).getByText('load:', { exact: true })).toHaveCount(1);
  await field(page).press('Enter');
  await expect(page.getByText('2 of 2')).toBeVisible();
  await expect(page.getByText('Follow is paused')).toBeVisible();
  await field(page).press('Shift+Enter');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expect(log(page).locator('[data-current]')).toContainText('load: 10000 bytes/s for 2 s');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  await expect(log(page).getByText('load:', { exact: true })).toHaveCount(0);
  await field(page).press('Escape');
  await expect(log(page)).toBeFocused();
  await page.keyboard.press('Control+f');
  await expect(field(page)).toBeFocused();
});

test('only lines that match are shown on request, and new ones come in', async ({ page }) => {
  await startDemo(page);
  await field(page).fill('/unknown|nothing is r.nning/');
  await page.getByRole('button', { name: 'Show only lines that match' }).click();
  await expect(rows(page)).toHaveCount(0);
  await type(page, 'stop');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('nothing is running');
  await field(page).fill('');
  await expect(log(page)).toContainText('demo>');
});

test('bytes are found in either display', async ({ page }) => {
  await startDemo(page);
  await field(page).fill('hex:64656D6F3E');
  await expect(log(page).getByText('demo>', { exact: true }).last()).toBeVisible();
  await page.getByText('Hex', { exact: true }).click();
  await expect(log(page).getByText('64 65 6D 6F 3E', { exact: true }).last()).toBeVisible();
});

test('what cannot be looked for says why', async ({ page }) => {
  await startDemo(page);
  await field(page).fill('port:7');
  await expect(alert(page)).toHaveText('There is no port 7. Ports are 1 to 4, as in port:1,2.');
  await field(page).fill('/(?=x)/');
  await expect(alert(page)).toContainText('Lookahead and lookbehind are not supported here');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await field(page).fill('help');
  await expect(alert(page)).toHaveCount(0);
});

test('one of several ports is shown alone, and hidden', async ({ page }) => {
  await startDemo(page);
  await connectDemo(page, 2);
  const of = (port: number) => log(page).locator(`[data-port="${port}"]`);
  await expect(of(2).first()).toBeVisible();
  await chooseFrom(page, 'Ports shown', 'Only Port 2');
  await expect(page.getByRole('button', { name: 'Remove port:2' })).toBeVisible();
  await expect(of(1)).toHaveCount(0);
  await expect(of(2).first()).toBeVisible();
  await chooseFrom(page, 'Ports shown', 'All ports');
  await chooseFrom(page, 'Ports shown', 'Show Port 2');
  await expect(of(2)).toHaveCount(0);
  await expect(of(1).first()).toBeVisible();
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

test('a lane shows what each open port received, and brings one to the lines of a time', async ({ page }) => {
  await startDemo(page);
  const lanes = page.getByRole('slider', { name: 'Jump to a time in the last minute' });
  await expect(lanes).toContainText('RX');
  await type(page, 'load 4000');
  // More than fit on the screen, so that the start of the log is out of sight.
  await expect.poll(() => numberIn(held(page))).toBeGreaterThan(100);
  await expect(log(page)).not.toContainText('Port 1 connected');
  const box = await lanes.locator('canvas').boundingBox();
  await page.mouse.click((box?.x ?? 0) + 2, (box?.y ?? 0) + 10);
  await expect(page.getByText('Follow is paused')).toBeVisible();
  await expect(log(page)).toContainText('Port 1 connected');
  await lanes.press('End');
  await expect(page.getByText('Following')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 620 });
  await expect(lanes).toBeHidden();
});

test('on a phone all of the find field is on the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  await field(page).fill('sdcard');
  const button = page.getByRole('button', { name: 'Show only lines that match' });
  const rightEdge = () => button.evaluate((element) => element.getBoundingClientRect().right);
  await expect.poll(rightEdge).toBeLessThanOrEqual(390);
  await button.click();
  await expect(rows(page)).toHaveCount(1);
});

test('rows beyond the screen are selected and copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await startDemo(page);
  await clearLog(page);
  await type(page, 'load 10000 2');
  await expect(log(page)).toContainText('load: 500 lines, 20000 bytes');
  await expect(log(page)).toContainText(prompt);
  await log(page).focus();
  await page.keyboard.press('Control+a');
  await expect(log(page).locator('[data-selected]').first()).toBeVisible();
  await page.keyboard.press('Control+c');
  await expectToast(page, '505 lines copied');
  const all = (await copied()).trimEnd().split('\n');
  expect(all).toHaveLength(505);
  await page.keyboard.press('Escape');
  await expect(log(page).locator('[data-selected]')).toHaveCount(0);
  // From a line that is scrolled out of sight to one at the other end.
  await page.keyboard.press('Home');
  await rows(page).filter({ hasText: 'bytes/s for 2 s' }).click();
  await page.keyboard.press('End');
  await rows(page)
    .filter({ hasText: '500 lines' })
    .click({ modifiers: ['Shift'] });
  await log(page).focus();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Control+c');
  await expectToast(page, '501 lines copied');
  expect((await copied()).trimEnd().split('\n')).toEqual(all.slice(2, 503));
});

test('the console with marks is without findings', async ({ page }) => {
  await startDemo(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer');
  await field(page).fill('which');
  await field(page).press('Enter');
  await expect(log(page).locator('[data-current]')).toBeVisible();
  await message(page).focus();
  expect(await findings(page, { landmarks: true })).toEqual([]);
});
