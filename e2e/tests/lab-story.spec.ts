/** The ESP32 bench from its landing page to a decoded transfer, in one session, on the demo board. */
import { esp32BenchPage, pagePaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import {
  busLog,
  capture,
  captureTransfer,
  device,
  findBus,
  i2c,
  leaveButton,
  loadProgram,
  openDisplay,
  plotBme280,
  showText,
} from './lab-steps.ts';

test('the bus is found, a BME280 plotted, text shown, a transfer captured and decoded, and the board left', async ({
  page,
}) => {
  await page.goto(pagePaths.esp32);
  await page.getByRole('link', { name: 'Try the Demo ESP32 bench' }).click();
  await expect(page).toHaveURL(new RegExp(esp32BenchPage));
  await expect(leaveButton(page)).toBeVisible();
  await findBus(page, 'SDA 21 SCL 22');
  await expect(i2c(page)).toContainText('SDA 21 SCL 22 · 100 kHz');
  await plotBme280(page);
  await openDisplay(page);
  await showText(page, 'Grüße vom Steckbrett');
  const display = device(page).getByRole('img', { name: /^Display of the demo board, simulated/ });
  await expect(display).toHaveAttribute('data-lit', /^[1-9]\d{2,}$/);
  await loadProgram(page);
  await page.getByRole('tab', { name: 'Capture' }).click();
  // This transfer is captured although the sensor is read continuously.
  await captureTransfer(page);
  await expect(capture(page)).toContainText('MS/s measured');
  await leaveButton(page).click();
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
  await expect(busLog(page)).toContainText('The bench has left the board: its pins were released.');
});
