/** The ESP32 bench in an old Chromium: ROM and RAM program of the demo board, a sensor's readings, a capture. */
import { esp32BenchPage } from '@wirebench/contract';
import { expect, test } from '../../old-browser/fixture.ts';
import { expectToFit } from '../../support/fits.ts';
import { captureTransfer, findBus, leaveButton, loadProgram, plotBme280 } from '../lab-steps.ts';

test('the demo board is scanned, a BME280 plotted, a transfer captured by the program in RAM, and the board left', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await expect(leaveButton(page)).toBeVisible();
  await findBus(page, 'SDA 21 SCL 22');
  await plotBme280(page);
  await loadProgram(page);
  await page.getByRole('tab', { name: 'Capture' }).click();
  await captureTransfer(page);
  await expectToFit(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await leaveButton(page).click();
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
});
