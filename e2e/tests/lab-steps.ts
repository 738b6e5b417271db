/** Actions on the bench's screen for its tests, with any board behind it. */
import type { Locator, Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { expect } from '../support/test.ts';

export const busLog = (page: Page): Locator => page.getByRole('log', { name: 'Bus log' });
export const i2c = (page: Page): Locator => page.getByRole('region', { name: 'I2C', exact: true });
export const device = (page: Page): Locator => page.getByRole('region', { name: 'Device', exact: true });
export const capture = (page: Page): Locator => page.getByRole('region', { name: 'Logic capture' });
export const decoded = (page: Page): Locator => capture(page).getByRole('table', { name: 'Decoded transfers' });
export const leaveButton = (page: Page): Locator => page.getByRole('button', { name: 'Leave' });

/** Opens the bench with the simulated ESP32. */
export async function openDemoBench(page: Page): Promise<void> {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await expect(leaveButton(page)).toBeVisible();
}

/** Connects the plugged-in board; the tests' browser answers the chooser without a dialog. */
export const connectBoard = (page: Page) => page.getByRole('button', { name: 'Connect', exact: true }).click();

/** Connects with the given button, and retries while the port is missing or busy. */
export async function connectAtLast(page: Page, button: string): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await expect(leaveButton(page)).toBeVisible({ timeout: 10_000 });
  }).toPass();
}

/** Finds the bus on all free pins, opens and scans it: a BME280 is recognised. */
export async function findBus(page: Page, pins: string): Promise<void> {
  await i2c(page).getByRole('button', { name: 'Find my I2C' }).click();
  const found = i2c(page).getByRole('status').filter({ hasText: pins });
  await expect(found).toContainText('0x76');
  await found.getByRole('button', { name: 'Use these pins' }).click();
  await expect(page.getByRole('list', { name: 'Found devices' })).toContainText('Identified by register 0xD0 = 0x60');
}

export async function initialise(page: Page): Promise<void> {
  await device(page).getByRole('button', { name: 'Initialise…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Initialise', exact: true }).click();
  await expect(device(page)).toContainText('initialised at');
}

/** Opens the JKit of the BME280, initialises the chip, and reads and plots it repeatedly. */
export async function plotBme280(page: Page): Promise<void> {
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
}

/** Opens the display's JKit at 0x3C. */
export async function openDisplay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose JKit for 0x3C' }).click();
  await device(page).getByRole('button', { name: 'Open the JKit SSD1306: OLED display 128×64' }).click();
}

/** Initialises the display of the open JKit and shows `text` on it. */
export async function showText(page: Page, text: string): Promise<void> {
  await initialise(page);
  await device(page).getByRole('textbox', { name: 'Text' }).fill(text);
  await device(page).getByRole('button', { name: 'Show text' }).click();
  await expect(device(page)).toContainText('Written to 0x3C.');
}

export async function loadProgram(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Load RAM program' }).click();
  await expect(page.getByRole('button', { name: 'Back to ROM' })).toBeVisible();
}

/** Captures the lines of the bus while the identification register of the BME280 is read. */
export async function captureTransfer(page: Page): Promise<void> {
  await capture(page).getByLabel('Begin').selectOption('At an I2C transfer');
  const form = capture(page).getByRole('form', { name: 'Capture a transfer' });
  await form.getByRole('textbox', { name: 'Address' }).fill('0x76');
  await form.getByRole('textbox', { name: 'Write' }).fill('D0');
  await form.getByRole('button', { name: 'Capture this transfer' }).click();
  await expect(decoded(page)).toContainText(/0x76 W D0 .*R 60/);
}
