/** Heavy load on the terminal: nothing is lost. */
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
  tryDemo,
  type,
} from './terminal-steps.ts';

const rows = (page: Page) => log(page).locator('[data-direction="received"]');

const exportedBytes = async (page: Page) => (await exported(page, 'Received bytes of Port 1')).bytes;

test('a line of a megabyte without a newline is held whole', { tag: '@long' }, async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  for (let piece = 0; piece < 16; piece++) {
    await port.say('0123456789abcdef'.repeat(4_096));
  }
  // It is drawn in many rows, and counted as one line, beside the notice of the connection.
  await expect.poll(() => numberIn(held(page))).toBe(2);
  await expect(rows(page).last()).toContainText('0123456789abcdef');
  const bytes = await exportedBytes(page);
  expect(bytes.length).toBe(1_048_576);
  expect(sha256(bytes)).toBe(sha256(Buffer.from('0123456789abcdef'.repeat(65_536))));
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
