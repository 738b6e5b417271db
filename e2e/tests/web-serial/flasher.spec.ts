/**
 * The flasher through Chromium's own Web Serial, on a pseudo-terminal with a simulated Espressif chip and its reset
 * circuit. The tests compare the chip's flash.
 */
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { espFirmware, type FirmwareFile, missingIn, noise } from '../../../scripts/firmware/esp-firmware.ts';
import { expect, test } from '../../web-serial/esp-fixture.ts';
import {
  addFile,
  board,
  demoRelease,
  expectInMonitorLog,
  expectNoWrite,
  failure,
  monitor,
  openFacts,
  openOffsets,
  remedy,
  result,
  writeButton,
} from '../flasher-steps.ts';

const kibibyte = 1_024;

const choosePort = (page: Page) => page.getByRole('button', { name: 'Connect a board', exact: true }).click();

/** Chooses all files of a build at once, and checks their suggested offsets. */
async function chooseBuild(page: Page, files: readonly FirmwareFile[]): Promise<void> {
  await page
    .getByLabel('Firmware files')
    .setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })));
  await openOffsets(page);
  for (const { name, offset } of files) {
    await expect(page.getByRole('textbox', { name: `Offset of ${name}` })).toHaveValue(`0x${offset.toString(16)}`);
  }
}

test.use({ start: staticPages.espFlasher });

test.describe('an empty ESP32-S3', () => {
  const md5 = 0x13;
  const files = espFirmware('esp32s3', { project: 'greenhouse', version: '2.4.0', size: 100 * kibibyte });
  test.use({ chip: { chip: 'esp32s3', mac: '24:0A:C4:5E:01:7F', flash: { content: 'empty' } } });

  test('is recognised, written, proven and started, and nothing is written the second time', async ({
    terminal: page,
    device,
    board: plugged,
  }) => {
    await chooseBuild(page, files);
    await choosePort(page);
    await expect(board(page)).toContainText('Ready');
    await expect(board(page)).toContainText('ESP32-S3');
    await expect(board(page)).toContainText(device.mac.toLowerCase());
    await expect(await openFacts(page)).toContainText('CP210x');
    await page.keyboard.press('Escape');
    expect(plugged.baudRate).toBe(921_600);
    const hashed = device.commands.get(md5) ?? 0;
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(result(page)).toContainText('The board restarted and runs greenhouse 2.4.0.');
    expect(missingIn(device.flash, files)).toEqual([]);
    expect(device.commands.get(md5)).toBeGreaterThan(hashed);
    await expect(monitor(page)).toContainText('Project name: greenhouse');
    await expect.poll(() => device.state).toBe('running');
    expect(plugged.baudRate).toBe(115_200);

    device.flash.resetCounts();
    await page.getByRole('button', { name: 'Flash again' }).click();
    await expect(result(page)).toContainText('Nothing to write');
    await expect(result(page)).toContainText('was already there, verified by hash.');
    expect(device.flash.erasedBytes).toBe(0);
    expect(device.flash.programmedBytes).toBe(0);
    await expect.poll(() => device.state).toBe('running');
  });
});

test.describe('a plug that is pulled at 50 %', () => {
  const length = 512 * kibibyte;
  const blocks = length / (16 * kibibyte);
  test.use({ chip: { chip: 'esp32s3', faults: [{ at: 'flash-data', kind: 'unplug', nth: 1 + blocks / 2 }] } });

  test('costs only the rest', async ({ terminal: page, device, board: plugged }) => {
    const bytes = noise(length);
    await addFile(page, 'storage.bin', bytes, '0x200000');
    await choosePort(page);
    await writeButton(page).click();
    await expect(page.getByRole('alert', { name: 'The board was unplugged' })).toContainText('only partly written');
    expect(device.state).toBe('off');
    // A block is acknowledged before it is programmed, so blocks in flight are lost with the power.
    expect(device.flash.programmedBytes).toBeGreaterThan(0.4 * length);
    expect(device.flash.programmedBytes).toBeLessThanOrEqual(0.5 * length);
    device.flash.resetCounts();
    plugged.plug();
    // Waits until the browser sees the port, like a person who waits for the board's light.
    await expect.poll(() => page.evaluate(async () => (await navigator.serial.getPorts()).length)).toBe(1);
    await page.getByRole('button', { name: 'Write the rest' }).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(result(page)).toContainText(/[\d.]+ KB written, [\d.]+ KB was already there/);
    expect(device.flash.programmedBytes).toBeLessThan(0.8 * length);
    expect(bytes.equals(device.flash.read(0x200000, length))).toBe(true);
    await expect(monitor(page)).toContainText('esp32s3 with its factory firmware.');
  });
});

test.describe('a board without a reset circuit', () => {
  const files = espFirmware('esp32', { project: 'doorbell', version: '1.0.3', size: 100 * kibibyte });
  test.use({ chip: { chip: 'esp32', connection: 'uart-no-reset', powerUp: 'first-open' } });

  test('is written after the user has held BOOT', async ({ terminal: page, device }) => {
    await chooseBuild(page, files);
    await choosePort(page);
    const steps = remedy(page, 'The board did not enter download mode');
    await expect(steps).toContainText('Tap EN once while you hold BOOT');
    expect(device.state).toBe('running');
    device.holdBoot(true);
    device.pressReset();
    device.holdBoot(false);
    await failure(page).getByRole('button', { name: 'Try again' }).click();
    await expect(board(page)).toContainText('Ready');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    expect(missingIn(device.flash, files)).toEqual([]);
    await expect(monitor(page)).toContainText('Port 1 connected');
    device.pressReset();
    await expect(monitor(page)).toContainText('Project name: doorbell');
    await expect.poll(() => device.state).toBe('running');
  });
});

test.describe('a board that runs under the monitor', () => {
  test.use({ chip: { chip: 'esp32' } });

  test('is restarted there, and goes on in the terminal without being picked again', async ({
    terminal: page,
    device,
    board: plugged,
  }) => {
    await choosePort(page);
    await expect(board(page)).toContainText('Ready');
    await page.getByRole('button', { name: 'Restart the board and open the monitor' }).click();
    await expectInMonitorLog(page, 'Port 1 connected');
    await expect.poll(() => device.state).toBe('running');
    const starts = () => plugged.received.toString('latin1').split('with its factory firmware').length;
    const started = starts();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await expect.poll(starts).toBeGreaterThan(started);
    let warned = false;
    page.on('dialog', (dialog) => {
      warned = true;
      void dialog.accept();
    });
    await page.getByRole('button', { name: 'Open in terminal' }).click();
    await page.waitForURL('**/app/uart');
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
    // With DTR on, as in the terminal, the board's reset button would start the bootloader.
    await page.getByRole('button', { name: 'Reset board' }).click();
    await expect(page.getByTestId('console')).toContainText('esp32 with its factory firmware.');
    expect(warned).toBe(false);
  });
});

test.describe('an ESP32-C3 on its own USB, whose port vanishes at each reset', () => {
  const files = espFirmware('esp32c3', { project: 'thermostat', version: '0.9.1', size: 100 * kibibyte });
  test.use({ chip: { chip: 'esp32c3', connection: 'usb-jtag', reenumerate: 400 } });

  test('is awaited, written and started', async ({ terminal: page, device }) => {
    await chooseBuild(page, files);
    await choosePort(page);
    await expect(board(page)).toContainText('Ready');
    await expect(await openFacts(page)).toContainText('Built-in USB Serial/JTAG');
    await page.keyboard.press('Escape');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    expect(missingIn(device.flash, files)).toEqual([]);
    // The boot log, or its part with the program's name, may have been printed before the port was back.
    await expect(result(page)).toContainText(
      /The board (was restarted|restarted and is talking|restarted and runs thermostat 0\.9\.1)\./,
    );
    await expect.poll(() => device.state).toBe('running');
    await expectInMonitorLog(page, 'Port 1 connected');
  });
});

test.describe('the demo release', () => {
  test.use({ start: demoRelease, chip: { chip: 'esp32' } });

  test('is refused on a real chip before anything is erased', async ({ terminal: page, device }) => {
    await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
    await choosePort(page);
    await expect(
      page.getByText('are for the demo board only: on a real chip they would do nothing', { exact: false }),
    ).toBeVisible();
    await expectNoWrite(page);
    expect(device.flash.erasedBytes).toBe(0);
  });
});
