/** What goes wrong between a board and its terminal, each fault by its name: nothing is lost, and nothing is in the way. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { openScripted } from './scripted-port.ts';
import {
  clearLog,
  exported,
  held,
  loadOutput,
  log,
  numberIn,
  openTerminal,
  prompt,
  sha256,
  startDemo,
  tryDemo,
  type,
} from './terminal-steps.ts';

const rows = (page: Page) => log(page).locator('[data-direction="received"]');

const exportedBytes = async (page: Page) => (await exported(page, 'Received bytes of Port 1')).bytes;

test('a character of UTF-8 that two reads cut apart is whole', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  const bytes = [...Buffer.from('21.5 °C 温度 👍\n')];
  await port.say(...bytes.map((byte) => [byte]));
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('21.5 °C 温度 👍');
  expect([...(await exportedBytes(page))]).toEqual(bytes);
});

test('a \\r\\n that two reads cut apart ends one line', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('one\r', '\ntwo\r', '\n');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toHaveText(/one$/);
  await expect(rows(page).last()).toHaveText(/two$/);
});

test('a line of a megabyte without a newline is held whole', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  for (let piece = 0; piece < 16; piece++) {
    await port.say('0123456789abcdef'.repeat(4_096));
  }
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('0123456789abcdef');
  const bytes = await exportedBytes(page);
  expect(bytes.length).toBe(1_048_576);
  expect(sha256(bytes)).toBe(sha256(Buffer.from('0123456789abcdef'.repeat(65_536))));
});

test('all 256 byte values come back as they were sent, and each can be read', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  await port.say(all);
  expect([...(await exportedBytes(page))]).toEqual(all);
  await page.getByText('Hex', { exact: true }).click();
  await expect(log(page)).toContainText('FB FC FD FE FF');
  // The line that 0A ends has the first 11 bytes, so that the others are in rows of 16 from there on.
  for (let first = 11; first < 256; first += 16) {
    const bytes = all.slice(first, first + 16).map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
    await expect(log(page)).toContainText(
      [bytes.slice(0, 8), bytes.slice(8)]
        .map((half) => half.join(' '))
        .join('  ')
        .trim(),
    );
  }
});

test('a device that is unplugged while a file is sent keeps what was read, and says what was not sent', async ({
  page,
}) => {
  await startDemo(page);
  const lines = Buffer.from('a line for the board\n'.repeat(200_000));
  const file = { name: 'script.txt', mimeType: 'text/plain', buffer: lines };
  await page.getByLabel('File to send to port 1').setInputFiles(file);
  await page.getByRole('button', { name: 'Send file' }).click();
  await expect(log(page)).toContainText('a line for the board');
  await page.getByRole('button', { name: 'Unplug' }).click();
  await expect(log(page)).toContainText('Device disconnected from Port 1');
  const { bytes } = await exported(page, 'Received bytes of Port 1');
  expect(bytes.toString()).toContain('demo> ');
  expect(bytes.toString()).toContain('a line for the board');
});

test('an overrun is waited out once, and a second one gives up', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('before\n');
  await port.overrun();
  await expect(log(page)).toContainText('Buffer overflow on Port 1, retrying...');
  await port.say('after\n');
  await expect(log(page)).toContainText('after');
  await port.overrun();
  await expect(log(page)).toContainText('Buffer overflow on Port 1 again.');
  await expect(log(page)).toContainText('Port 1 disconnected');
  expect((await exportedBytes(page)).toString()).toBe('before\nafter\n');
});

test('a wrong baud rate shows rubbish and a hint, and the right one makes it readable', async ({ page }) => {
  await startDemo(page);
  await type(page, 'baud 38400');
  await expect(log(page)).toContainText('switching to 38400 baud');
  await type(page, 'help');
  await expect(page.getByText(/framing error/i).first()).toBeVisible();
  await expect(log(page)).not.toContainText('which addresses answer');
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('38400');
  await page.getByRole('button', { name: 'Reopen now' }).click();
  await expect(log(page)).toContainText('Port 1 connected (38400 8N1)');
  // Ends the line that the board made of the rubbish that it received.
  await type(page, '');
  await type(page, 'stop');
  await expect(log(page)).toContainText('nothing is running');
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer');
});

test('10,000 lines a second in a tab that gets no frames are all there when it is looked at again', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const frame = window.requestAnimationFrame.bind(window);
    const waiting: FrameRequestCallback[] = [];
    let hidden = false;
    window.requestAnimationFrame = (callback) => (hidden ? -waiting.push(callback) : frame(callback));
    window.addEventListener('test-hide', () => {
      hidden = true;
    });
    window.addEventListener('test-show', () => {
      hidden = false;
      waiting.splice(0).forEach(frame);
    });
  });
  await openTerminal(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('custom');
  await page.getByRole('textbox', { name: 'Rate' }).fill('40000000');
  await tryDemo(page);
  await clearLog(page);
  await page.evaluate(() => dispatchEvent(new Event('test-hide')));
  await type(page, 'load 400000 4');
  await expect.poll(() => numberIn(held(page)), { timeout: 60_000 }).toBeGreaterThanOrEqual(40_000);
  await expect(log(page)).not.toContainText('load: 40000 lines');
  await page.evaluate(() => dispatchEvent(new Event('test-show')));
  await expect(log(page)).toContainText('load: 40000 lines, 1600000 bytes');
  await expect(log(page)).toContainText(prompt);
  expect(sha256(await exportedBytes(page))).toBe(sha256(loadOutput(400_000, 4)));
});
