/** What the terminal remembers in the browser, and what becomes of it where that is full, refused, broken, or shared by two tabs. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { panel, pin, send } from './panels-steps.ts';
import { log, openTerminal, startDemo } from './terminal-steps.ts';

const hex = (page: Page) => page.getByRole('radio', { name: 'Hex', exact: true });
const portName = (page: Page) => page.getByRole('textbox', { name: 'Name' });

test('a storage without room costs nothing but what would be remembered, and a notice says so', async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  });
  await startDemo(page);
  await log(page).focus();
  await page.keyboard.press('Shift+H');
  await expect(log(page)).toContainText('64 65 6D 6F 3E 20');
  await expect(hex(page)).toBeChecked();
  await expect(page.getByRole('alert').filter({ hasText: 'The terminal settings' })).toContainText(
    "could not be saved: the browser's storage for this site is full.",
  );
  await portName(page).fill('S3 gateway');
  await expect(page.getByRole('tab', { name: 'S3 gateway 115200 8N1 · Demo' })).toBeVisible();
  await pin(page, 'help');
  await expect(send(page, 'help')).toBeVisible();
  await page.getByRole('button', { name: 'Use light theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('a browser that refuses to store anything runs the whole terminal', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  await startDemo(page);
  await log(page).focus();
  await page.keyboard.press('Shift+H');
  await expect(log(page)).toContainText('64 65 6D 6F 3E 20');
  await portName(page).fill('S3 gateway');
  await expect(page.getByRole('tab', { name: /^Port 1 S3 gateway/ })).toBeVisible();
  await pin(page, 'help');
  await expect(send(page, 'help')).toBeVisible();
});

for (const [name, text] of [
  ['nonsense', '{"version":1,'],
  ['values of another kind', '"null"'],
  ['nothing', 'null'],
] as const) {
  test(`a storage that holds ${name} under every key is read as an empty one`, async ({ page }) => {
    await openTerminal(page);
    await portName(page).fill('S3 gateway');
    await page.getByRole('separator', { name: 'Width of the settings' }).press('ArrowRight');
    await pin(page, 'help');
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toContain('terminal-panes');
    await page.evaluate((value) => {
      for (const key of Object.keys(localStorage)) {
        localStorage.setItem(key, value);
      }
    }, text);
    await startDemo(page);
    await expect(page.getByRole('tab', { name: 'Port 1 115200 8N1 · Demo' })).toBeVisible();
    await pin(page, 'info');
    await expect(send(page, 'info')).toBeVisible();
  });
}

test('two tabs do not undo what was changed in the other', async ({ page, context }) => {
  await openTerminal(page);
  const other = await context.newPage();
  await openTerminal(other);
  await portName(page).fill('S3 gateway');
  await hex(page).check({ force: true });
  await other.getByRole('tab', { name: /^Port 2/ }).click();
  await portName(other).fill('GNSS M10');
  await choose(other.getByRole('button', { name: 'Time', exact: true }), 'Off');
  await page.reload();
  await expect(hex(page)).toBeChecked();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toBeVisible();
  await expect(page.getByRole('tab', { name: /GNSS M10/ })).toBeVisible();
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Off' })).toBeChecked();
});

test('a board that vanishes is not waited for where the settings of its port say so', async ({ page }) => {
  await openTerminal(page);
  const reconnect = page.getByRole('checkbox', { name: 'Reconnect automatically' });
  await expect(reconnect).toBeChecked();
  await reconnect.uncheck();
  await startDemo(page);
  await expect(reconnect).not.toBeChecked();
  await page.getByRole('button', { name: 'Unplug' }).click();
  await expect(log(page)).toContainText('Device disconnected from Port 1');
  await expect(page.getByRole('tab', { name: 'Port 1 Not connected' })).toBeVisible();
  await expect(page.getByText('The device on Port 1 is gone.')).toHaveCount(0);
});

test('the whole documentation opens beside the terminal, whose ports stay open', async ({ page, context }) => {
  await startDemo(page);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Documentation (opens in a new tab)' }).click();
  const documentation = await opened;
  await expect(documentation).toHaveURL('/app/uart/docs');
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
});

test('no shortcut acts in a field, whichever it is', async ({ page }) => {
  await startDemo(page);
  const shift = async () => {
    for (const key of ['H', 'A', 'C', 'X']) {
      await page.keyboard.press(`Shift+${key}`);
    }
  };
  for (const field of [
    portName(page),
    page.getByRole('textbox', { name: 'Find in the console' }),
    page.getByRole('textbox', { name: 'Message' }),
    panel(page).getByRole('textbox', { name: 'Add a command' }),
  ]) {
    await field.focus();
    await shift();
    await expect(field).toHaveValue(/HACX$/);
  }
  await page.getByRole('combobox', { name: 'Baud' }).focus();
  await shift();
  await expect(page.getByRole('radio', { name: 'Text', exact: true })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Follow' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('Messages cleared')).toHaveCount(0);
  await expect(page.getByText('Messages exported to file')).toHaveCount(0);
});
