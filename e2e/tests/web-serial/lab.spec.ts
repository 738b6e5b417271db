/**
 * The bench through Chromium's own Web Serial, on a pseudo-terminal with a simulated ESP32 and its breadboard. The
 * tests check the board's wires and its flash.
 */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import type { EspDevice } from '@wirebench/devices';
import { expect, test } from '../../web-serial/bench-fixture.ts';
import {
  capture,
  captureTransfer,
  connectBoard as connect,
  connectAtLast,
  device as devicePanel,
  findBus,
  leaveButton,
  loadProgram,
  busLog as log,
  openDisplay,
  plotBme280,
  showText,
} from '../lab-steps.ts';

/** Leaves the board and checks that it runs its own program and that its flash was neither erased nor written. */
async function leaveUntouched(page: Page, device: EspDevice): Promise<void> {
  await leaveButton(page).click();
  await expect(log(page)).toContainText('The bench has left the board: its pins were released.');
  await expect.poll(() => device.state).toBe('running');
  expect(device.flash.erasedBytes + device.flash.programmedBytes).toBe(0);
}

/** Drives GPIO 26, which has an LED to ground. */
async function lightLed(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^GPIO 26/ }).click();
  const strip = page.getByRole('region', { name: 'Selected pin' });
  await strip.getByRole('button', { name: 'Output' }).click();
  await strip.getByRole('radio', { name: 'High' }).click();
  await expect(page.getByRole('radio', { name: /^GPIO 26, OUT, output, high/ })).toBeVisible();
}

test.describe('an ESP32 on its breadboard', () => {
  test('is connected, scanned, read and left, and its flash has the same hash before and after', {
    tag: '@long',
  }, async ({ terminal: page, device, board: plugged, breadboard }) => {
    const before = device.flash.read(0, device.flash.size);
    await page.getByRole('switch', { name: 'Check that flash is unchanged' }).click();
    await connect(page);
    await expect(leaveButton(page)).toBeVisible();
    expect(plugged.baudRate).toBe(921_600);
    expect(device.state).toBe('download');
    await expect(log(page)).toContainText(/Flash before: MD5 [0-9a-f]{32} of 4 MB/);
    await expect(page.getByRole('radio', { name: 'GPIO 6, locked' })).toBeVisible();
    await page.getByRole('button', { name: 'Scan' }).click();
    await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register 0xD0 = 0x60');
    await page.getByRole('textbox', { name: 'Register', exact: true }).fill('D0');
    await page.getByRole('form', { name: 'Read registers' }).getByRole('button', { name: 'Read' }).click();
    await expect(page.getByRole('region', { name: 'I2C' })).toContainText('0x76 register 0xD0: 60 (96)');
    await lightLed(page);
    expect(breadboard.led.brightness).toBeGreaterThan(0);
    await leaveButton(page).click();
    await expect(page.getByText('Flash is unchanged: all 4 MB have the same hash.')).toBeVisible();
    await expect(log(page)).toContainText('its pins were released');
    await expect.poll(() => device.state).toBe('running');
    expect(breadboard.led.brightness).toBe(0);
    expect(device.flash.erasedBytes + device.flash.programmedBytes).toBe(0);
    expect(Buffer.from(before).equals(Buffer.from(device.flash.read(0, device.flash.size)))).toBe(true);
  });

  test('its bus is found, a BME280 plotted, text shown, a transfer captured by the program in its RAM, and the board left', async ({
    terminal: page,
    device,
    breadboard,
  }) => {
    await connect(page);
    await findBus(page, 'SDA 21 SCL 22');
    await plotBme280(page);
    await openDisplay(page);
    await showText(page, 'Hello over Web Serial');
    // Reads the simulated display itself; the page does not draw its content.
    expect(breadboard.ssd1306.pixels.filter((pixel) => pixel !== 0).length).toBeGreaterThan(100);
    await expect(devicePanel(page).getByRole('img', { name: /^Display of the demo board/ })).toBeHidden();
    await loadProgram(page);
    expect(device.state).toBe('program');
    await page.getByRole('tab', { name: 'Capture' }).click();
    await captureTransfer(page);
    await expect(capture(page)).toContainText('MS/s measured');
    await leaveUntouched(page, device);
  });

  test('pulled while a sensor is read: it is said, and the same board is found again when it is back', async ({
    terminal: page,
    device,
    board: plugged,
  }) => {
    await connect(page);
    await findBus(page, 'SDA 21 SCL 22');
    await plotBme280(page);
    plugged.unplug();
    const failure = page.getByRole('alert').filter({ hasText: 'unplugged' });
    await expect(failure).toBeVisible();
    await expect(log(page)).toContainText('A board with a supply of its own may still drive its pins');
    await failure.getByRole('button', { name: 'Connect again' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'is not plugged in' })).toBeVisible();
    plugged.plug();
    await connectAtLast(page, 'Connect again');
    await findBus(page, 'SDA 21 SCL 22');
    await leaveButton(page).click();
    await expect.poll(() => device.state).toBe('running');
  });

  test('closing the page asks first; whatever becomes of the pins then, the next connect begins with all of them released', async ({
    terminal: page,
    device,
    breadboard,
  }) => {
    await connect(page);
    await expect(leaveButton(page)).toBeVisible();
    await lightLed(page);
    expect(breadboard.led.brightness).toBe(1);
    const next = await page.context().newPage();
    await page.bringToFront();
    const asked = page.waitForEvent('dialog');
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await closed;
    await next.goto(esp32BenchPage);
    // The bench's thread may or may not have reset the board before the browser ended. Without the reset the LED is
    // still on.
    expect(['running', 'download']).toContain(device.state);
    await connectAtLast(next, 'Connect');
    expect(breadboard.led.brightness).toBe(0);
    await next.getByRole('radio', { name: /^GPIO 26/ }).click();
    await expect(next.getByRole('region', { name: 'Selected pin' })).toContainText('free, ');
    await leaveButton(next).click();
    await expect.poll(() => device.state).toBe('running');
  });

  test('a tab that crashes leaves the pins driven, as the guide says, and the next connect releases them', async ({
    terminal: page,
    device,
    breadboard,
  }) => {
    await connect(page);
    await expect(leaveButton(page)).toBeVisible();
    await lightLed(page);
    const next = await page.context().newPage();
    const crashed = page.waitForEvent('crash');
    await page.goto('chrome://crash').catch(() => undefined);
    await crashed;
    await next.goto(esp32BenchPage);
    expect(device.state).toBe('download');
    expect(breadboard.led.brightness).toBe(1);
    await connectAtLast(next, 'Connect');
    expect(breadboard.led.brightness).toBe(0);
    await leaveButton(next).click();
    await expect.poll(() => device.state).toBe('running');
  });
});
