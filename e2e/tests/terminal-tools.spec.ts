/** What is around a port: an address that opens a ready terminal, the remedies, the lines of a board. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { clearLog, connectDemo, log, message, openTerminal, prompt, startDemo, type } from './terminal-steps.ts';

const hint = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });
const baud = (page: Page) => page.getByRole('combobox', { name: 'Baud' });

/** The browser's dialog, which a browser without a screen does not show, is closed without a choice. */
const closeDialog = (page: Page) =>
  page.addInitScript(() => {
    navigator.serial.requestPort = () => Promise.reject(new DOMException('No port selected.', 'NotFoundError'));
  });

test('an address opens a ready terminal, which leaves the own settings alone', async ({ page }) => {
  await page.goto('/app/uart?baud=38400&data=7&parity=even&stop=2&ending=crlf&name=GNSS%20M10&filter=wifi&jkit=1');
  await expect(hint(page)).toContainText('This address opens GNSS M10 at 38400 7E2, and sends with CRLF.');
  await expect(baud(page)).toHaveValue('38400');
  await expect(hint(page)).toContainText('Only lines with wifi are shown.');
  await connectDemo(page);
  await expect(page.getByRole('tab', { name: 'GNSS M10 38400 7E2 · Demo' })).toBeVisible();
  // The board itself speaks 8N1: that its parity is wrong is another hint.
  await expect(page.getByText('This address opens')).toHaveCount(0);
  await openTerminal(page);
  await expect(baud(page)).toHaveValue('115200');
  await expect(page.getByRole('tab', { name: 'Port 1 Not connected' })).toBeVisible();
});

test('the settings of an address are remembered once they are changed', async ({ page }) => {
  await page.goto('/app/uart?baud=74880');
  await expect(page.getByRole('textbox', { name: 'Rate' })).toHaveValue('74880');
  await page.getByRole('radio', { name: 'Odd' }).check({ force: true });
  await openTerminal(page);
  await expect(page.getByRole('textbox', { name: 'Rate' })).toHaveValue('74880');
});

test('wrong values of an address are named, and the own settings are one press away', async ({ page }) => {
  await page.goto('/app/uart?baud=fast&stop=2');
  await expect(hint(page)).toContainText('baud is "fast", but must be a whole number from 1 to 4294967295.');
  await expect(page.getByRole('radio', { name: '2' })).toBeChecked();
  await hint(page).getByRole('button', { name: 'Use my settings' }).press('Enter');
  await expect(hint(page)).toHaveCount(0);
  await expect(page.getByRole('radio', { name: '1' })).toBeChecked();
});

test('a board is reset and started in boot mode from the keyboard, and not while the port is closed', async ({
  page,
}) => {
  await openTerminal(page);
  const reset = page.getByRole('button', { name: 'Reset board' });
  await expect(reset).toHaveAttribute('aria-disabled', 'true');
  await expect(reset).toHaveAccessibleDescription(/^Port 1 is not connected\./);
  await connectDemo(page);
  await expect(log(page)).toContainText(prompt);
  await clearLog(page);
  await reset.press('Enter');
  await expect(log(page)).toContainText('a simulation: no hardware is connected');
  await expect(log(page)).toContainText(prompt);
  await clearLog(page);
  await page.getByRole('button', { name: 'Boot mode' }).press('Enter');
  await expect(log(page)).toContainText('waiting for download');
  await expect(page.getByRole('switch', { name: 'DTR' })).toBeChecked();
  await page.getByRole('button', { name: 'Break', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Break', exact: true })).not.toHaveAttribute('aria-busy');
});

test('escapes are sent as bytes, and a faulty one is named', async ({ page }) => {
  await startDemo(page);
  await page.getByRole('radio', { name: 'Escapes' }).check({ force: true });
  await type(page, String.raw`he\x6cp\q`);
  await expect(page.getByRole('alert').filter({ hasText: 'Character 8' })).toBeVisible();
  await type(page, String.raw`he\x6cp`);
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
});

test('a message is repeated until it is stopped', async ({ page }) => {
  await startDemo(page);
  await page.getByRole('checkbox', { name: 'Repeat' }).press('Space');
  const every = page.getByRole('textbox', { name: 'Repeat interval in milliseconds' });
  await every.fill('5');
  await type(page, 'stop');
  await expect(page.getByText('Enter a repeat interval from 10 to 3600000 ms.')).toBeVisible();
  await every.fill('50');
  await message(page).press('Enter');
  await expect(page.getByText(/every 50 ms, ([3-9]|\d{2,}) sent/)).toBeVisible();
  await page.getByRole('button', { name: 'Stop repeating to port 1' }).press('Enter');
  await expect(page.getByText(/every 50 ms/)).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Repeat' }).press('Space');
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
});

test('lines end after a silence when the port says so', async ({ page }) => {
  await startDemo(page);
  await page.getByRole('combobox', { name: 'Split lines' }).selectOption('After a gap');
  // Longer than the board's answer can falter on a busy machine.
  await page.getByRole('textbox', { name: 'Gap' }).fill('3000');
  await clearLog(page);
  await type(page, 'help');
  // Everything up to the prompt is one packet, its newlines inside.
  await expect(log(page).locator('[data-direction=received]')).toHaveCount(1);
  await expect(log(page).locator('[data-direction=received]')).toContainText('demo>');
});

test('the hex display has one frame after another, and says which is incomplete', async ({ page }) => {
  await startDemo(page);
  const lines = page.getByRole('combobox', { name: 'Split lines' });
  const received = log(page).locator('[data-direction=received]');
  await lines.selectOption('At a delimiter');
  await page.getByRole('textbox', { name: 'Delimiter' }).fill('demo');
  await clearLog(page);
  await type(page, 'help');
  await expect(received.last()).toContainText('> ');
  await expect(received.first()).toContainText('\\n');
  await lines.selectOption('After a fixed length');
  await page.getByRole('textbox', { name: 'Length' }).fill('8');
  await page.getByRole('radio', { name: 'Hex', exact: true }).first().check({ force: true });
  await clearLog(page);
  await type(page, 'help');
  const frames = log(page).locator('[data-direction=received][data-hex=first]');
  await expect(frames.nth(2)).toHaveText(/0000([0-9A-F]{2} ){7}[0-9A-F]{2}.{8}$/);
  await lines.selectOption('COBS frames');
  await clearLog(page);
  await type(page, 'help');
  await expect(received.first()).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect port 1' }).click();
  await expect(log(page).locator('[data-fault="Incomplete frame"]').last()).toBeVisible();
});

test('a file is sent to the board, at its pace', async ({ page }) => {
  await startDemo(page);
  const file = { name: 'commands.txt', mimeType: 'text/plain', buffer: Buffer.from('stop\nhelp\n') };
  await page.getByLabel('File to send to port 1').setInputFiles(file);
  const strip = page.getByRole('group', { name: 'Send a file to port 1' });
  await strip.getByRole('combobox', { name: 'Pace' }).selectOption('Line by line, 50 ms apart');
  await strip.getByRole('button', { name: 'Send file' }).press('Enter');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await expect(log(page)).toContainText('Sent commands.txt to Port 1: 10 bytes');
  await expect(strip).toHaveCount(0);
});

test('the sending of a file shows how far it is, and can be cancelled', async ({ page }) => {
  await startDemo(page);
  const file = { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2_000_000, 0x20) };
  await page.getByLabel('File to send to port 1').setInputFiles(file);
  const strip = page.getByRole('group', { name: 'Send a file to port 1' });
  await strip.getByRole('button', { name: 'Send file' }).click();
  await expect(strip.getByRole('progressbar', { name: 'Sent' })).toBeVisible();
  await expect(strip).toContainText(/of 2\.0 MB, .* s left/);
  await strip.getByRole('button', { name: 'Cancel sending the file' }).press('Enter');
  await expect(strip).toHaveCount(0);
  await expect(log(page)).toContainText('Sending large.bin to Port 1 was cancelled after');
});

test('a dialog that is closed without a choice leads to a hint above the log', async ({ page }) => {
  await closeDialog(page);
  await openTerminal(page);
  await page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(hint(page)).toContainText('Was your board missing from the list?');
  await expect(hint(page)).toContainText('many carry power only');
  await page.getByRole('button', { name: 'Dismiss the advice for port 1' }).press('Enter');
  await expect(hint(page)).toHaveCount(0);
});

test('hints are without findings, also on a phone', async ({ page }) => {
  await closeDialog(page);
  await page.goto('/app/uart?baud=fast');
  await page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(hint(page)).toHaveCount(2);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
  }
  await expect(log(page)).toHaveCount(0);
});
