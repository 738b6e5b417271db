/** States of the hardware debugger's bench with the demo board. Each is reached by clicks, at any window width. */
import type { Locator, Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';

/** Parts that are docked, in a tab, or behind a button at the bottom of a phone. */
type Part = 'Pins' | 'I2C' | 'Registers' | 'Analog' | 'Counter' | 'SPI' | 'UART' | 'Capture' | 'Device' | 'Bus log';

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/**
 * Opens a part. On a phone it is at the bottom, or under More.
 *
 * @returns True if the part is shown now.
 */
export async function showPart(page: Page, part: Part): Promise<boolean> {
  const button = (name: string) =>
    page.getByRole('navigation', { name: 'Bench' }).getByRole('button', { name, exact: true });
  const tab = page.getByRole('tab', { name: part, exact: true });
  if (await button(part).isVisible()) {
    await button(part).click();
    return true;
  }
  if (await button('More').isVisible()) {
    await button('More').click();
  }
  if (await tab.isVisible()) {
    await tab.click();
    return true;
  }
  return panel(page, part).isVisible();
}

/** Opens the bench with the demo board and live pins. */
export async function open(page: Page): Promise<void> {
  await page.goto(`${esp32BenchPage}?demo`);
  await page.getByRole('button', { name: 'Leave', exact: true }).waitFor();
  await page.locator('[data-gpio] [data-level="high"]').first().waitFor();
}

async function scan(page: Page): Promise<void> {
  await showPart(page, 'I2C');
  await page.getByRole('button', { name: 'Scan', exact: true }).click();
  await page.getByText(/^Scan done/).waitFor({ state: 'attached' });
  // The identified device is then selected, and the next input goes to it.
  await page.getByText('Identified by register 0xD0 = 0x60').waitFor({ state: 'attached' });
}

/** Shows five devices on the bus, and the register that identifies one of them. */
export async function scanned(page: Page): Promise<void> {
  await open(page);
  await scan(page);
  await page.getByRole('textbox', { name: 'Register', exact: true }).fill('D0');
  const read = page.getByRole('form', { name: 'Read registers' });
  await read.getByRole('button', { name: 'Read', exact: true }).click();
  await page.getByText('0x76 register 0xD0:').waitFor();
}

/** Shows a sensor's readings and curves through its chip description. */
export async function measured(page: Page): Promise<void> {
  await scanned(page);
  await page.getByRole('button', { name: 'Open JKit for 0x76' }).click();
  await showPart(page, 'Device');
  const device = panel(page, 'Device');
  await device.getByRole('button', { name: 'Initialise…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Initialise', exact: true }).click();
  await device.getByText('initialised at').waitFor();
  await device.getByLabel('Every').selectOption('250 ms');
  await device.getByRole('button', { name: 'Live', exact: true }).click();
  await device.getByRole('img', { name: 'Curve of Temperature' }).waitFor();
  // Waits long enough for a curve.
  await page.waitForTimeout(6_000);
}

/** Shows a transfer that the program in RAM has captured, between two cursors. */
export async function captured(page: Page): Promise<void> {
  await scanned(page);
  await page.getByRole('button', { name: 'Load RAM program' }).click();
  await page.getByRole('button', { name: 'Back to ROM' }).waitFor();
  await showPart(page, 'Capture');
  const capture = panel(page, 'Logic capture');
  await capture.getByLabel('Begin').selectOption('At an I2C transfer');
  const form = capture.getByRole('form', { name: 'Capture a transfer' });
  await form.getByRole('textbox', { name: 'Address' }).fill('0x76');
  await form.getByRole('textbox', { name: 'Write' }).fill('D0');
  await form.getByRole('button', { name: 'Capture this transfer' }).click();
  await capture
    .getByRole('table', { name: 'Decoded transfers' })
    .getByText(/0x76 W D0/)
    .waitFor();
  for (const letter of ['A', 'B']) {
    await capture.getByRole('button', { name: `Place cursor ${letter}` }).click();
  }
}

/** Shows the pins with an LED switched on. */
export async function driven(page: Page): Promise<void> {
  await open(page);
  await drive(page);
}

async function drive(page: Page): Promise<void> {
  await showPart(page, 'Pins');
  await page.getByRole('radio', { name: /^GPIO 26\b/ }).click();
  const strip = panel(page, 'Selected pin');
  await strip.getByRole('button', { name: 'Output', exact: true }).click();
  await strip.getByText('High', { exact: true }).click();
  await page.getByRole('radio', { name: /^GPIO 26, OUT, output, high/ }).waitFor();
}

export async function sampling(page: Page): Promise<void> {
  await open(page);
  await sample(page);
}

async function sample(page: Page): Promise<void> {
  await showPart(page, 'Analog');
  const pin = panel(page, 'Analog').getByRole('button', { name: /^GPIO 34\b/ });
  await pin.click();
  await pin.getByText(/≈ \d/).waitFor();
  // Waits long enough for a curve.
  await page.waitForTimeout(4_000);
}

/** Shows found devices, an output and a voltage together. */
export async function atWork(page: Page): Promise<void> {
  await scanned(page);
  await drive(page);
  await sample(page);
  await showPart(page, 'I2C');
}

/** Shows a locked pin with its reason. */
export async function locked(page: Page): Promise<void> {
  await open(page);
  await showPart(page, 'Pins');
  await page.getByRole('radio', { name: 'GPIO 6, locked' }).click();
  await panel(page, 'Selected pin').getByText('connected to the flash chip').waitFor();
}

/** Shows the bench counting its own PWM. */
export async function counting(page: Page): Promise<void> {
  await open(page);
  await countPwm(page);
}

async function countPwm(page: Page): Promise<void> {
  await showPart(page, 'Pins');
  await page.getByRole('radio', { name: /^GPIO 25\b/ }).click();
  await panel(page, 'Selected pin').getByRole('button', { name: 'PWM', exact: true }).click();
  await page.getByRole('radio', { name: /^GPIO 25, PWM/ }).waitFor();
  await showPart(page, 'Counter');
  const counter = panel(page, 'Counter');
  await counter.getByLabel('GPIO').selectOption('25');
  await counter.getByRole('button', { name: 'Count', exact: true }).click();
  await counter.getByText('kHz').waitFor();
}

export async function exchanged(page: Page): Promise<void> {
  await open(page);
  await showPart(page, 'SPI');
  await panel(page, 'SPI').getByRole('button', { name: 'Exchange', exact: true }).click();
  await page.getByText('MISO: ').waitFor();
}

/** Shows the output of the demo board's GNSS receiver. */
export async function bridged(page: Page): Promise<void> {
  await open(page);
  await showPart(page, 'UART');
  const bridge = panel(page, 'UART bridge');
  await bridge.getByRole('button', { name: 'Open', exact: true }).click();
  await panel(page, 'Bus log').getByText('GGA').nth(1).waitFor();
}

export async function registersRead(page: Page): Promise<void> {
  await driven(page);
  await showPart(page, 'Registers');
  const registers = panel(page, 'Registers');
  await registers.getByRole('button', { name: 'Read all', exact: true }).click();
  await registers.getByRole('treeitem').nth(1).click();
  await registers.getByRole('table').waitFor();
}
