/**
 * The bench through Chromium's own Web Serial, on a pseudo-terminal with a simulated ESP32 and its breadboard behind it. What the bench
 * did is looked at on the board's own wires and in its flash.
 */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { labBreadboard } from '@wirebench/devices';
import { expect, test } from '../../web-serial/esp-fixture.ts';

const log = (page: Page) => page.getByRole('log', { name: 'Bus log' });
const connect = (page: Page) => page.getByRole('button', { name: 'Connect', exact: true }).click();
const leaveButton = (page: Page) => page.getByRole('button', { name: 'Leave' });

/** GPIO 26, with an LED to ground. */
async function lightLed(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^GPIO 26/ }).click();
  const strip = page.getByRole('region', { name: 'Selected pin' });
  await strip.getByRole('button', { name: 'Output' }).click();
  await strip.getByRole('radio', { name: 'High' }).click();
  await expect(page.getByRole('radio', { name: /^GPIO 26, OUT, output, high/ })).toBeVisible();
}

test.use({ start: esp32BenchPage });

test.describe('an ESP32 on its breadboard', () => {
  const breadboard = labBreadboard('esp32');
  test.use({ chip: { chip: 'esp32', breadboard } });

  test('is connected, scanned, read and left, and its flash has the same hash before and after', async ({
    terminal: page,
    device,
    board: plugged,
  }) => {
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
});
