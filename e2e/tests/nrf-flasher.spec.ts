/** The Nordic flasher with a simulated board of each bootloader: what a newcomer sees, and what is refused before an erase. */
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { board, monitor, plan, result, unplugMidWrite, writeButton, writeByKeyboard } from './flasher-steps.ts';
import { addFirmware, connectNordicDemo } from './nrf-flasher-steps.ts';

test('an nRF52840 with the secure bootloader is found out, flashed and started', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Try the Demo nRF52840' }).click();
  await expect(board(page)).toContainText('Secure DFU (nRF5 SDK)');
  await expect(board(page)).toContainText('nRF52840');
  await addFirmware(page, { board: 'nrf52840-secure' });
  await expect(page.getByText('Application for secure DFU, version 2, signed')).toBeVisible();
  await expect(plan(page)).toContainText('60.0 KB to write.');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(monitor(page)).toContainText('demo firmware version 2');
});

test('a Feather is asked into its bootloader, and its report claims no more than was proven', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await connectNordicDemo(page, 'Demo Feather nRF52840');
  await addFirmware(page, { board: 'feather-nrf52840', size: 16_384 });
  await expect(plan(page)).toContainText('cannot resume after an interruption');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(monitor(page)).toContainText('demo firmware version 2');
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(page.getByRole('region', { name: 'Progress' })).toBeVisible();
  await expect(result(page)).toContainText('Written and verified');
  await expect(result(page)).toContainText('The board restarted and is talking.');
});

test('MCUboot lists its slots, takes a signed image, and recognises it', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await connectNordicDemo(page, 'Demo nRF52840 with MCUboot');
  await expect(page.getByRole('region', { name: 'On the board' })).toContainText('Slot 0');
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await expect(page.getByText('Application for MCUboot, version 2.0.0+0, signed')).toBeVisible();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified', { timeout: 60_000 });
  await expect(monitor(page)).toContainText('demo firmware version 2');
  await page.getByRole('button', { name: 'Flash again' }).click();
  const failure = page.getByRole('alert', { name: 'Nothing was received from this port' });
  await expect(failure.getByRole('img', { name: /RESET is pressed twice/ })).toBeVisible();
  await expect(failure).toContainText('Unplug the demo board and plug it in again');
  await page.getByRole('button', { name: 'Unplug' }).click();
  await page.getByRole('button', { name: 'Plug in again' }).first().click();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(plan(page)).toContainText('is already there: nothing needs to be written.');
});

test('a release link is not passed over: it leads to the flasher of its family, a dead one says so', async ({
  page,
}) => {
  await page.goto(`${staticPages.nrfFlasher}?type=version&id=AAAAAAAAAAAAAAAAAAAAAA`);
  await expect(page.getByText('There is no release at this link.')).toBeVisible();
  await page.goto(`${staticPages.nrfFlasher}?type=version`);
  await expect(page.getByText('This link is incomplete.')).toBeVisible();
  await page.goto(`${staticPages.nrfFlasher}?type=version&id=${demoReleaseId}`);
  await expect(page.getByText('Wirebench demo is for Espressif chips.')).toBeVisible();
  await page.getByRole('link', { name: 'Open it in the flasher for Espressif chips' }).click();
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(staticPages.espFlasher);
});

test('a package for another bootloader is refused before anything is sent', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await connectNordicDemo(page, 'Demo Feather nRF52840');
  await addFirmware(page, { board: 'nrf52840-secure' });
  await expect(plan(page)).toContainText("The board has Adafruit's bootloader.");
  await expect(page.getByText('Fix this to continue.')).toBeVisible();
  await expect(writeButton(page)).toBeDisabled();
});

test('firmware for other hardware is refused by the bootloader before it erases', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await connectNordicDemo(page, 'Demo nRF52840');
  await addFirmware(page, { board: 'nrf52840-secure', hardwareVersion: 57 });
  await writeButton(page).click();
  const refusal = page.getByRole('alert', { name: 'This firmware was built for another hardware version' });
  await expect(refusal).toContainText('Nothing on the board was changed.');
  await refusal.getByRole('button', { name: 'Remove this package' }).click();
  await expect(page.getByText('0 of 4')).toBeVisible();
});

test('a plain program and a UF2 file are explained, not written', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  const uf2 = Buffer.alloc(512);
  uf2.writeUInt32LE(0x0a324655, 0);
  uf2.writeUInt32LE(0x9e5d5157, 4);
  uf2.writeUInt32LE(0x0ab16f30, 508);
  await page.getByLabel('Firmware files').setInputFiles({ name: 'app.uf2', mimeType: '', buffer: uf2 });
  await expect(page.getByText("copied to the board's drive")).toBeVisible();
  await expect(page.getByText('a drive with INFO_UF2.TXT appears')).toBeVisible();
  await page.getByText('A .uf2 file, or no serial port').click();
  await expect(page.getByText('Copy the .uf2 file to the drive.')).toBeVisible();
});

test('a plug that is pulled in mid-write costs only the rest', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await connectNordicDemo(page, 'Demo nRF52840');
  await addFirmware(page, { board: 'nrf52840-secure', size: 204_800 });
  await unplugMidWrite(page, 40);
  const [, same = ''] = /([\d.]+) KB was already there/.exec(await result(page).innerText()) ?? [];
  expect(Number(same)).toBeGreaterThanOrEqual(60);
});

test('a flash needs no mouse', async ({ page }) => {
  await page.goto(staticPages.nrfFlasher);
  await page.getByRole('button', { name: 'Try the Demo nRF52840' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Use demo firmware' }).focus();
  await page.keyboard.press('Enter');
  await writeByKeyboard(page);
});
