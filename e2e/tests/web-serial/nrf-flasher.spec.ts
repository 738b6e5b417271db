/**
 * The Nordic flasher through Chromium's own Web Serial, on pseudo-terminals with a simulated board. The tests compare
 * the chip's flash.
 */
import { staticPages } from '@wirebench/contract';
import { type NrfPackage, nrfPackage } from '../../support/nrf-firmware.ts';
import { expect, test } from '../../web-serial/nrf-fixture.ts';
import { board, expectInMonitorLog, result, writeButton } from '../flasher-steps.ts';

test.use({ start: staticPages.nrfFlasher });

const given = ({ name, bytes }: NrfPackage) => ({ name, mimeType: 'application/zip', buffer: bytes });

/** Flash address of the application: after the master boot record, or after the SoftDevice S140. */
const programAt = { secure: 0x1000, adafruit: 0x26000 } as const;

test.describe('an nRF52832 behind a J-Link', () => {
  const firmware = nrfPackage('secure', 40_960);
  test.use({ nrf: { board: 'nrf52832-secure', powerUp: 'bootloader' } });

  test('is found out, written, proven and started', async ({ terminal: page, device }) => {
    await page.getByLabel('Firmware files').setInputFiles(given(firmware));
    await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
    await expect(board(page)).toContainText('Secure DFU (nRF5 SDK)');
    await expect(board(page)).toContainText('nRF52832');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect.poll(() => device.state).toBe('running');
    expect(firmware.image.equals(device.flash.read(programAt.secure, firmware.image.length))).toBe(true);
  });
});

test.describe('a Feather on its own USB', () => {
  const firmware = nrfPackage('adafruit', 40_960);
  test.use({ nrf: { board: 'feather-nrf52840' } });

  test('is touched at 1,200 baud, comes back as its bootloader, and then as its new program', async ({
    terminal: page,
    device,
  }) => {
    expect(device.state).toBe('running');
    await page.getByLabel('Firmware files').setInputFiles(given(firmware));
    await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
    await expect(board(page)).toContainText('Adafruit nRF52');
    expect(device.state).toBe('bootloader');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expectInMonitorLog(page, 'Port 1 connected');
    await expect.poll(() => device.state).toBe('running');
    expect(firmware.image.equals(device.flash.read(programAt.adafruit, firmware.image.length))).toBe(true);
  });
});
