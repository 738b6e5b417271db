/** The terminal's tools through Chromium's own Web Serial: finding the baud rate, and reading a crash from the port. */
import type { Page } from '@playwright/test';
import { expect, test } from '../../web-serial/fixture.ts';
import { log, openTool, prompt, type } from '../terminal-steps.ts';

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();

test('the rate of a board is found by listening, and the port is open at it afterwards', async ({ terminal }) => {
  await connect(terminal);
  await expect(log(terminal)).toContainText(prompt);
  await type(terminal, 'sensors on');
  await expect(log(terminal)).toContainText('temperature:');
  await terminal.getByRole('combobox', { name: 'Baud' }).selectOption('57600');
  await expect(terminal.getByRole('tab', { name: /^Port 1 57600 8N1/ })).toBeVisible();
  await terminal.getByRole('button', { name: 'Find the rate…' }).click();
  await terminal.getByRole('button', { name: 'Find the baud rate' }).click();
  await expect(terminal.getByText('The baud rate is 115200.')).toBeVisible({ timeout: 60_000 });
  await terminal.getByRole('button', { name: 'Use 115200 baud' }).click();
  await expect(terminal.getByRole('tab', { name: /^Port 1 115200 8N1/ })).toBeVisible();
  await type(terminal, 'help');
  await expect(log(terminal)).toContainText('which addresses answer on the I2C bus');
});

test('numbers that a board sends are plotted, and its crash is recognised', async ({ terminal }) => {
  await connect(terminal);
  await expect(log(terminal)).toContainText(prompt);
  await openTool(terminal, 'Plot');
  await type(terminal, 'adc 3 50 10');
  await expect(terminal.getByRole('button', { name: 'adc3', exact: true })).toBeVisible();
  // Waits for the prompt, because a busy board does not take input as a command.
  await expect(log(terminal)).toContainText(prompt);
  await type(terminal, 'crash');
  await expect(terminal.getByText('The board on Port 1 crashed.')).toBeVisible();
  await terminal.getByRole('button', { name: 'View the crash' }).click();
  await expect(terminal.getByRole('list', { name: 'Addresses' })).toContainText('0x400D5C7E');
});
