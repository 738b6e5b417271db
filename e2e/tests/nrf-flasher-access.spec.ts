/** The Nordic flasher for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectWriteToFit } from './flasher-access-steps.ts';
import { monitor, writeButton } from './flasher-steps.ts';
import { addFirmware, connectNordicDemo } from './nrf-flasher-steps.ts';

test('the Nordic flasher is without findings, empty, refused, planned and failed', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  for (const way of ['Adafruit, Seeed and other UF2 boards', 'A .uf2 file, or no serial port']) {
    await page.getByText(way).click();
  }
  expect(await findings(page)).toEqual([]);
  await connectNordicDemo(page, 'Demo nRF52840 with MCUboot');
  await addFirmware(page, { board: 'feather-nrf52840' });
  await expect(page.getByText('Fix this to continue.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await addFirmware(page, { board: 'nrf52840-mcuboot' });
  await expect(writeButton(page)).toBeEnabled();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restart the board and open the monitor' }).click();
  await expect(monitor(page)).toContainText('factory firmware');
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(page.getByRole('alert', { name: 'Nothing was received from this port' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('the Nordic flasher fits a phone from the package to the receipt', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(staticPages.nrfFlasher);
  await page.getByText('Nordic dongle, nRF5 SDK').click();
  await expectToFit(page);
  await connectNordicDemo(page, 'Demo nRF52840');
  await addFirmware(page, { board: 'nrf52840-secure', size: 16_384 });
  await expectWriteToFit(page);
});
