/** The ESP32 bench on the demo board, in every window. */
import type { Locator, Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToBeReached, expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { leaveButton } from './lab-steps.ts';

/** Returns the element's edges in px of the window. */
const edges = (element: Locator) =>
  element.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
  });

test('the bench is without findings, covers nothing that it promises, and fits every window; a phone shows one part at a time', async ({
  page,
}) => {
  await page.goto(esp32BenchPage);
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
  expect(await findings(page, { landmarks: true })).toEqual([]);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await expect(leaveButton(page)).toBeVisible();
  await test.step('an unused pin is counted and released by keyboard', () => countByKeyboard(page));

  await page.getByRole('button', { name: 'Scan' }).click();
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register');
  await page.getByRole('tab', { name: 'Registers', exact: true }).click();
  await page.getByRole('button', { name: 'Read all' }).click();
  expect(await findings(page, { landmarks: true })).toEqual([]);

  await test.step('nothing covers what the bench promises, and all bits of a register are in sight, at any width', () =>
    expectNothingCovered(page));
  await test.step('it fits every window, and a phone shows one part at a time', () => expectPartsToFit(page));
});

/** Checks the counter's position in the Tab order, and its keys. */
async function countByKeyboard(page: Page): Promise<void> {
  const counter = page.getByRole('region', { name: 'Counter', exact: true });
  await page.getByRole('tab', { name: 'Counter' }).press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Counter' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(counter.getByRole('button', { name: 'Count', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(counter.getByLabel('GPIO')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(counter.getByRole('radio', { name: 'Falling' })).toBeChecked();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(counter).toContainText('0 falling edges');
  await expect(page.getByRole('radio', { name: /CNT of Counter/ })).toBeVisible();
  await counter.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(page.getByRole('radio', { name: /CNT of Counter/ })).toBeHidden();
}

async function expectNothingCovered(page: Page): Promise<void> {
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
    await tab.click();
    for (const bit of ['Bit 31', 'Bit 24']) {
      await expect(registers.getByRole('button', { name: bit, exact: true })).toBeInViewport({ ratio: 0.99 });
    }
    await expect(promise).toBeInViewport({ ratio: 0.99 });
    await expect(async () => {
      const words = await edges(promise);
      for (const name of ['Load RAM program', 'Leave']) {
        const button = page.getByRole('button', { name, exact: true });
        if (await button.isVisible()) {
          const { left, bottom } = await edges(button);
          expect(words.right <= left || words.top >= bottom, `${name} at ${width} px`).toBe(true);
        }
      }
    }).toPass();
    await expectToFit(page);
  }
}

/** Checks all parts, starting in a window of a phone's width. */
async function expectPartsToFit(page: Page): Promise<void> {
  const parts = page.getByRole('navigation', { name: 'Bench' });
  await parts.getByRole('button', { name: 'Pins' }).click();
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
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight))
      .toBeLessThanOrEqual(0);
    await expectToBeReached(page.getByRole('radio', { name: /^GPIO 36\b/ }), 0.99);
  }
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
}
