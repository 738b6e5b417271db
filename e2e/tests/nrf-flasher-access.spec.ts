/** The Nordic flasher for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { expectToFitPhone } from './flasher-access-steps.ts';
import { expectNoWrite, monitor, writeButton } from './flasher-steps.ts';
import { addFirmware, connectNrfDemo } from './nrf-flasher-steps.ts';

test('the Nordic flasher is without findings, empty, refused, planned and failed, and fits a phone', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  await expect(page.getByText('Starting the bootloader')).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
  await expectToFitPhone(page);
  await connectNrfDemo(page, 'Demo nRF52840 with MCUboot');
  await addFirmware(page, { board: 'feather-nrf52840' });
  await expectNoWrite(page);
  expect(await findings(page)).toEqual([]);
  await addFirmware(page, { board: 'nrf52840-mcuboot' });
  await expect(writeButton(page)).toBeEnabled();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Restart the board and open the monitor' }).click();
  await expect(monitor(page)).toContainText('factory firmware');
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(page.getByRole('alert', { name: 'Nothing was received from this port' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  // After a connection that failed, the page says how each bootloader is started.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  for (const way of [
    'Nordic dongle, nRF5 SDK',
    'Adafruit, Seeed and other UF2 boards',
    'A .uf2 file, or no serial port',
  ]) {
    await page.getByText(way).click();
  }
  expect(await findings(page)).toEqual([]);
});
