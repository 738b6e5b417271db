/** Devices on the bench of the demo board: recognised, read by their JKits, plotted, written to. */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { inTheme, themes } from '../support/theme.ts';

const device = (page: Page) => page.getByRole('region', { name: 'Device', exact: true });
const found = (page: Page) => page.getByRole('list', { name: 'Found devices' });

async function scanDemo(page: Page): Promise<void> {
  await page.goto(`${esp32BenchPage}?demo`);
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
  await page.getByRole('button', { name: 'Scan' }).click();
  await expect(found(page)).toContainText('Identified by register 0xD0 = 0x60');
}

async function initialise(page: Page): Promise<void> {
  await device(page).getByRole('button', { name: 'Initialise…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Initialise', exact: true }).click();
  await expect(device(page)).toContainText('initialised at');
}

test('a BME280 is recognised, shows °C, hPa and % and is plotted; an SSD1306 shows typed text; the board is left', async ({
  page,
}) => {
  await scanDemo(page);
  await page.getByRole('button', { name: 'Open JKit for 0x76' }).click();
  await expect(device(page).getByRole('heading', { name: 'BME280' })).toBeVisible();
  await initialise(page);
  await device(page).getByLabel('Every').selectOption('250 ms');
  await device(page).getByRole('button', { name: 'Live' }).click();
  const readings = device(page).getByRole('list', { name: 'Readings' });
  await expect(readings).toContainText(/\d+\.\d+ °C/);
  await expect(readings).toContainText(/\d+\.\d+ hPa/);
  await expect(readings).toContainText(/\d+\.\d+ %/);
  await expect(device(page).getByRole('img', { name: 'Curve of Temperature' }).locator('canvas')).toBeVisible();
  const download = page.waitForEvent('download');
  await device(page).getByRole('button', { name: 'Save the readings as CSV' }).click();
  expect((await download).suggestedFilename()).toBe('wirebench-readings.csv');

  await page.getByRole('button', { name: 'Choose JKit for 0x3C' }).click();
  await device(page).getByRole('button', { name: 'Open the JKit SSD1306: OLED display 128×64' }).click();
  const display = device(page).getByRole('img', { name: /^Display of the demo board, simulated/ });
  await expect(display).toHaveAttribute('data-lit', '0');
  await initialise(page);
  await device(page).getByRole('textbox', { name: 'Text' }).fill('Grüße vom Steckbrett');
  await device(page).getByRole('button', { name: 'Show text' }).click();
  await expect(device(page)).toContainText('Written to 0x3C.');
  await expect(display).toHaveAttribute('data-lit', /^[1-9]\d{2,}$/);
  await expect(device(page)).toContainText('Simulated');

  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
});

for (const theme of themes) {
  test.describe(theme, () => {
    test.use(inTheme(theme));

    test('axe finds nothing in the panel of a device, and it fits every window', async ({ page }) => {
      await scanDemo(page);
      await page.getByRole('button', { name: 'Open JKit for 0x76' }).click();
      await device(page).getByRole('button', { name: 'Read once' }).click();
      await expect(device(page)).toContainText('hPa');
      for (const view of ['Readings', 'Registers', 'Register map']) {
        await device(page).getByLabel('Show', { exact: true }).selectOption(view);
        expect(await findings(page, { landmarks: true })).toEqual([]);
      }
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [720, 450],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expectToFit(page);
      }
      await page.getByRole('navigation', { name: 'Bench' }).getByRole('button', { name: 'Device' }).click();
      await expect(device(page)).toBeVisible();
      await expectToFit(page);
      expect(await findings(page)).toEqual([]);
    });
  });
}
