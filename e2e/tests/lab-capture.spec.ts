/** Logic capture on the demo board: what it needs, what it captures, how it is read, in every window and both themes. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { capture, captureTransfer, decoded, loadProgram } from './lab-steps.ts';

/** Below 721 px the bench shows one part at a time. */
const windows = [
  { width: 1440, height: 900, isPhone: false },
  { width: 1024, height: 768, isPhone: false },
  { width: 720, height: 450, isPhone: true },
  { width: 390, height: 844, isPhone: true },
] as const;

async function openCapture(page: Page): Promise<void> {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await page.getByRole('tab', { name: 'Capture' }).click();
  await expect(capture(page).getByRole('button', { name: 'Load the program into RAM' })).toBeVisible();
}

async function captured(page: Page): Promise<void> {
  await openCapture(page);
  await page.getByRole('button', { name: 'Scan' }).click();
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
  await loadProgram(page);
  await captureTransfer(page);
}

/** Whichever way leads to it in this window. */
async function showCapture(page: Page, { width, height, isPhone }: (typeof windows)[number]): Promise<void> {
  await page.setViewportSize({ width, height });
  const parts = page.getByRole('navigation', { name: 'Bench' });
  const way = isPhone ? parts.getByRole('button', { name: 'Capture' }) : page.getByRole('tab', { name: 'Capture' });
  await way.click();
  await expect(capture(page)).toBeVisible();
}

test('a capture says what it needs, and axe finds nothing', async ({ page }) => {
  await openCapture(page);
  await expect(capture(page)).toContainText('A capture needs the program in RAM.');
  await expect(page.getByRole('button', { name: 'Load RAM program' })).toBeVisible();
  expect(await findings(page, { landmarks: true })).toEqual([]);
});

test('axe finds nothing in a capture with cursors, and it fits every window', async ({ page }) => {
  await captured(page);
  await capture(page).getByRole('button', { name: 'Place cursor A' }).click();
  await capture(page).getByRole('button', { name: 'Place cursor B' }).click();
  expect(await findings(page, { landmarks: true })).toEqual([]);
  for (const window of windows) {
    await showCapture(page, window);
    await expect(decoded(page)).toContainText('0x76 W D0');
    await expectToFit(page);
  }
  expect(await findings(page)).toEqual([]);
});

test('the way to a capture fits every window', async ({ page }) => {
  await openCapture(page);
  for (const window of windows) {
    await showCapture(page, window);
    await expect(capture(page)).toContainText('A capture needs the program in RAM.');
    await expectToFit(page);
  }
});

test('a transfer is captured and decoded, saved as VCD, and so is the next one that any part of the bench makes', async ({
  page,
}) => {
  await captured(page);
  const download = page.waitForEvent('download');
  await capture(page).getByRole('button', { name: 'Save as VCD' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^wirebench-capture-[\dT-]+\.vcd$/);
  const vcd = await readFile(await file.path(), 'utf8');
  expect(vcd).toContain('$timescale');
  expect(vcd).toMatch(/\$var wire 1 \S+ SDA_21 \$end/);
  // Nine clocks of each of four bytes at least.
  expect(vcd.split('\n').filter((line) => /^[01]\S/.test(line)).length).toBeGreaterThan(72);

  await capture(page).getByRole('button', { name: 'Capture the next transfer' }).click();
  await expect(capture(page)).toContainText('Waiting for the next transfer on the I2C bus.');
  await page.getByRole('textbox', { name: 'Register', exact: true }).fill('F4');
  await page.getByRole('form', { name: 'Read registers' }).getByRole('button', { name: 'Read' }).click();
  await expect(decoded(page)).toContainText(/0x76 W F4 .*R 00/);

  await capture(page).getByRole('button', { name: 'Capture the next transfer' }).click();
  await capture(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(capture(page).getByRole('button', { name: 'Cancel' })).toBeHidden();
  await expect(decoded(page)).toContainText('0x76 W F4');
});

test('by keyboard alone: a capture is zoomed, both cursors are placed, moved from edge to edge, and taken away', async ({
  page,
}) => {
  await captured(page);
  const lanes = capture(page).getByRole('slider', { name: 'Time shown' });
  const whole = await lanes.getAttribute('aria-valuetext');
  await lanes.focus();
  await page.keyboard.press('+');
  await expect(lanes).not.toHaveAttribute('aria-valuetext', whole ?? '');
  await page.keyboard.press('0');
  await expect(lanes).toHaveAttribute('aria-valuetext', whole ?? '');
  for (const letter of ['A', 'B']) {
    await capture(page)
      .getByRole('button', { name: `Place cursor ${letter}` })
      .press('Enter');
  }
  const between = capture(page).getByLabel('From cursor A to cursor B');
  await expect(between).toContainText('Hz');
  const a = capture(page).getByRole('slider', { name: 'Cursor A' });
  await a.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageDown');
  const edge = Number(await a.getAttribute('aria-valuenow'));
  const b = capture(page).getByRole('slider', { name: 'Cursor B' });
  await b.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  expect(Number(await b.getAttribute('aria-valuenow'))).toBeGreaterThan(edge);
  await page.keyboard.press('PageUp');
  await expect(b).toHaveAttribute('aria-valuenow', String(edge));
  await page.keyboard.press('Delete');
  await expect(b).toBeHidden();
  await expect(between).toContainText('Click the lanes to place a cursor');
});
