/** Logic capture on the demo board: its requirements and its result, in every window. */
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

/** Opens the capture through the controls of this window size. */
async function showCapture(page: Page, { width, height, isPhone }: (typeof windows)[number]): Promise<void> {
  await page.setViewportSize({ width, height });
  const parts = page.getByRole('navigation', { name: 'Bench' });
  const way = isPhone ? parts.getByRole('button', { name: 'Capture' }) : page.getByRole('tab', { name: 'Capture' });
  await way.click();
  await expect(capture(page)).toBeVisible();
}

test('a capture says what it needs, is without findings, also with cursors, and fits every window', async ({
  page,
}) => {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await page.getByRole('tab', { name: 'Capture' }).click();
  await expect(capture(page).getByRole('button', { name: 'Load the program into RAM' })).toBeVisible();
  await expect(capture(page)).toContainText('A capture needs the program in RAM.');
  await expect(page.getByRole('button', { name: 'Load RAM program' })).toBeVisible();
  expect(await findings(page, { landmarks: true })).toEqual([]);
  for (const window of windows) {
    await showCapture(page, window);
    await expect(capture(page)).toContainText('A capture needs the program in RAM.');
    await expectToFit(page);
  }

  await showCapture(page, windows[0]);
  await page.getByRole('button', { name: 'Scan' }).click();
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
  await loadProgram(page);
  await captureTransfer(page);
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
