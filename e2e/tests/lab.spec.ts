/** The hardware debugger's bench on the demo board: from the landing page to a register of a sensor, and away again. */
import type { Locator, Page } from '@playwright/test';
import { esp32BenchPage, pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { openDemoBench } from './lab-steps.ts';

/** In px of the window. */
const edges = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
  });

const log = (page: Page) => page.getByRole('log', { name: 'Bus log' });

test('from the landing page to a register of a sensor on the demo board, and away again', async ({ page }) => {
  await page.goto(pagePaths.esp32);
  await page.getByRole('link', { name: 'Try the demo board' }).click();
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
  await expect(page.getByText('Demo', { exact: true })).toBeVisible();
  await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
  await expect(log(page)).toContainText('answers from its boot ROM');
  await page.getByRole('button', { name: 'Scan' }).click();
  const found = page.getByRole('list', { name: 'Found devices' });
  await expect(found).toContainText('BME280');
  await expect(found).toContainText('Identified by register 0xD0 = 0x60');
  await expect(found).toContainText('SSD1306?');
  await expect(page.getByRole('radio', { name: /^GPIO 21, SDA of I2C/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Register', exact: true }).fill('D0');
  await page.getByRole('form', { name: 'Read registers' }).getByRole('button', { name: 'Read' }).click();
  await expect(page.getByRole('region', { name: 'I2C' })).toContainText('0x76 register 0xD0: 60 (96)');
  await expect(log(page)).toContainText('I2C 0x76 W D0 · R 60');
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
  await expect(log(page)).toContainText('The bench has left the board');
});

test('by keyboard: a pin becomes an output, the bus is scanned, the board is left', async ({ page }) => {
  await openDemoBench(page);
  await page.keyboard.press('Shift+P');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Home');
  const pin = page.getByRole('radio', { name: /^GPIO 26/ });
  for (
    let presses = 0;
    presses < 40 && !(await pin.evaluate((element) => element === document.activeElement));
    presses++
  ) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(pin).toBeFocused();
  const strip = page.getByRole('region', { name: 'Selected pin' });
  await strip.getByRole('button', { name: 'Output' }).press('Enter');
  await strip.getByRole('radio', { name: 'High' }).press('Space');
  await expect(page.getByRole('radio', { name: /^GPIO 26, OUT, output, high/ })).toBeVisible();
  await page.keyboard.press('Shift+I');
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
  await page.keyboard.press('Shift+L');
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
});

test('a locked pin says why, and offers nothing', async ({ page }) => {
  await openDemoBench(page);
  await page.getByRole('radio', { name: 'GPIO 6, locked' }).click();
  const strip = page.getByRole('region', { name: 'Selected pin' });
  await expect(strip).toContainText('No instrument and no register write reaches it.');
  await expect(strip.getByRole('button')).toHaveCount(0);
});

test('axe finds nothing on the bench', async ({ page }) => {
  await page.goto(esp32BenchPage);
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
  expect(await findings(page, { landmarks: true })).toEqual([]);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await page.getByRole('button', { name: 'Scan' }).click();
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
  await page.getByRole('button', { name: 'Read all' }).click();
  expect(await findings(page, { landmarks: true })).toEqual([]);
});

test('nothing covers what the bench promises, and all bits of a register are in sight, at any width', async ({
  page,
}) => {
  await openDemoBench(page);
  const promise = page.getByText('Nothing is written to flash.', { exact: true });
  const more = page.getByRole('navigation', { name: 'Bench' }).getByRole('button', { name: 'More' });
  const tab = page.getByRole('tab', { name: 'Registers', exact: true });
  const registers = page.getByRole('region', { name: 'Registers', exact: true });
  for (const width of [1440, 1280, 1181, 1024, 901, 768, 721, 720, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(more).toBeVisible({ visible: width <= 720 });
    if (await more.isVisible()) {
      await more.click();
    }
    if (width <= 1180) {
      await tab.click();
    }
    for (const bit of ['Bit 31', 'Bit 24']) {
      await expect(registers.getByRole('button', { name: bit, exact: true })).toBeInViewport({ ratio: 0.99 });
    }
    await expect(promise).toBeInViewport({ ratio: 0.99 });
    const words = await edges(promise);
    for (const name of ['Load RAM program', 'Leave']) {
      const button = page.getByRole('button', { name, exact: true });
      if (await button.isVisible()) {
        const { left, bottom } = await edges(button);
        expect(words.right <= left || words.top >= bottom, `${name} at ${width} px`).toBe(true);
      }
    }
    await expectToFit(page);
  }
});

test('fits every window, and a phone shows one part at a time', async ({ page }) => {
  await openDemoBench(page);
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [844, 390],
    [720, 450],
    [390, 500],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectToFit(page);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBeLessThanOrEqual(
      0,
    );
    const pin = page.getByRole('radio', { name: /^GPIO 36\b/ });
    await pin.scrollIntoViewIfNeeded();
    await expect(pin).toBeInViewport({ ratio: 0.99 });
  }
  const parts = page.getByRole('navigation', { name: 'Bench' });
  for (const part of ['I2C', 'Analog', 'Bus log', 'Pins']) {
    await parts.getByRole('button', { name: part }).click();
    await expect(page.getByRole('region', { name: part, exact: true })).toBeVisible();
    await expectToFit(page);
  }
  await parts.getByRole('button', { name: 'More' }).click();
  for (const [tab, region] of [
    ['Counter', 'Counter'],
    ['SPI', 'SPI'],
    ['UART', 'UART bridge'],
    ['Registers', 'Registers'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await expect(page.getByRole('region', { name: region, exact: true })).toBeVisible();
    await expectToFit(page);
  }
  expect(await findings(page)).toEqual([]);
});
