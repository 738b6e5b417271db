/** States of the flashers with simulated boards. */
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { avrFirmwareHex, nrfFirmware, stmFirmware } from '@wirebench/devices';
import { rpFirmwareUf2 } from '@wirebench/devices/rp';
import { buildOutput } from './build-output.ts';

const writeButton = (page: Page) => page.getByRole('button', { name: /^(Write \d files?|Install .*)$/ });

/** Waits until the connected board is in its bootloader. */
const untilReady = (page: Page) =>
  page.getByRole('region', { name: 'Board', exact: true }).getByText('Ready', { exact: true }).waitFor();

/** Connects the simulated board. With chosen files, a narrow window has it in the menu only. */
export async function connectDemoBoard(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Try the Demo ESP32' });
  if (await button.isVisible()) {
    await button.click();
  } else {
    await openWays(page, 'Demo ESP32');
  }
  await untilReady(page);
}

async function openWays(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Shows dropped files of a build and the plan for the board. */
export async function planned(page: Page): Promise<void> {
  await page.goto(staticPages.espFlasher);
  await planOn(page);
}

async function planOn(page: Page): Promise<void> {
  await page.getByLabel('Firmware files').setInputFiles(buildOutput);
  await page.getByRole('button', { name: 'Remove app.bin' }).waitFor();
  await connectDemoBoard(page);
  // The button is visible but disabled while the board is still compared with the files.
  await writeButton(page).and(page.locator(':not([disabled], [aria-disabled="true"])')).waitFor();
}

/** Shows writing at a slow rate, so that the picture catches it. */
export async function writing(page: Page): Promise<void> {
  await page.goto(staticPages.espFlasher);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('115200');
  await planOn(page);
  await writeButton(page).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=progressbar]')].some((bar) => Number(bar.ariaValueNow) >= 30),
  );
}

export async function done(page: Page): Promise<void> {
  await planned(page);
  await writeButton(page).click();
  await page.getByRole('region', { name: 'Result' }).getByText('runs weather-node').waitFor();
  await page.getByRole('log', { name: 'Monitor' }).waitFor();
}

/** Shows a board that was unplugged. */
export async function unplugged(page: Page): Promise<void> {
  await planned(page);
  await page.getByRole('button', { name: 'Unplug' }).click();
  await page.getByRole('region', { name: 'Failure' }).getByText('The board was unplugged').waitFor();
}

/** Shows a file that would end beyond the flash. */
export async function refused(page: Page): Promise<void> {
  await page.goto(staticPages.espFlasher);
  const storage = { name: 'storage.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0x3000, 7) };
  await page.getByLabel('Firmware files').setInputFiles(storage);
  await page.getByRole('textbox', { name: 'Offset of storage.bin' }).fill('0x3fe000');
  await connectDemoBoard(page);
  await page.getByRole('region', { name: 'Plan' }).getByText('Not possible').waitFor();
}

/** Connects a simulated board of the menu, for families that have more than one. */
async function connectOther(page: Page, name: string): Promise<void> {
  await openWays(page, name);
  await untilReady(page);
  await writeButton(page).and(page.locator(':not([disabled], [aria-disabled="true"])')).waitFor();
}

export async function stmPlanned(page: Page): Promise<void> {
  await page.goto(staticPages.stmFlasher);
  const bytes = stmFirmware({ text: 'Hello from the boiler room.\r\n', size: 20_000 });
  await page
    .getByLabel('Firmware files')
    .setInputFiles({ name: 'boiler.bin', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
  await connectOther(page, 'Demo STM32F407');
}

export async function nrfPlanned(page: Page): Promise<void> {
  await page.goto(staticPages.nrfFlasher);
  const { name, bytes } = nrfFirmware({ board: 'nrf52840-secure', size: 20_000 });
  await page
    .getByLabel('Firmware files')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
  await connectOther(page, 'Demo nRF52840');
}

export async function avrPlanned(page: Page): Promise<void> {
  await page.goto(staticPages.avrFlasher);
  const bytes = avrFirmwareHex({ size: 12_288, seed: 2 });
  await page
    .getByLabel('Firmware files')
    .setInputFiles({ name: 'Blink.ino.hex', mimeType: 'text/plain', buffer: Buffer.from(bytes) });
  await connectOther(page, 'Demo Uno');
}

export async function rpPlanned(page: Page): Promise<void> {
  await page.goto(staticPages.rpFlasher);
  const bytes = rpFirmwareUf2({ text: 'Hello', size: 65_536, seed: 2 });
  await page
    .getByLabel('Firmware files')
    .setInputFiles({ name: 'blink.uf2', mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
  await connectOther(page, 'Demo Pico');
}
