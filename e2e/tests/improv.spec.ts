/** Wi-Fi set up by Improv on a demo board: in the terminal, by keyboard, on a phone, and without the password anywhere. */
import type { Locator, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { connectDemo, demoRelease, result, writeButton } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { benchWorker, openScripted } from './scripted-port.ts';
import { exported, log, openTerminal } from './terminal-steps.ts';

const password = 'solder-and-flux';

/** The part of the worker's global scope that is used here. */
interface DemoScope {
  readonly bench: {
    readonly bench: { connect(port: number, device: object, settings: object): Promise<void> };
    readonly devices: {
      attach(port: number, source: object, rate: number, open: (device: object) => Promise<void>): Promise<void>;
    };
  };
}

const dialog = (page: Page): Locator => page.getByRole('dialog');
const tools = (page: Page): Locator => page.getByRole('button', { name: 'Tools', exact: true });

/** Opens the terminal with the demo ESP32, whose program answers Improv, on port 1. */
async function openDemo(page: Page): Promise<void> {
  await openTerminal(page);
  const worker = await benchWorker(page);
  await worker.evaluate(async () => {
    const { bench } = globalThis as unknown as DemoScope;
    const settings = { baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' };
    await bench.devices.attach(1, { kind: 'demo', model: 'esp32' }, settings.baudRate, (device) =>
      bench.bench.connect(1, device, settings),
    );
  });
  await expect(log(page)).toContainText('Port 1 connected');
}

/** Opens the dialog from the settings of the port, and waits for the list of networks. */
async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up Wi-Fi (Improv)…' }).click();
  await expect(dialog(page).getByRole('radio')).toHaveCount(4);
}

test('puts a board on a network from the terminal, and keeps the password out of log and export', async ({ page }) => {
  await openDemo(page);
  await openDialog(page);
  await expect(dialog(page)).toContainText('Wirebench demo');
  await expect(dialog(page).getByRole('group', { name: 'Networks that the board sees' })).toContainText('−47 dBm');
  expect(await findings(page)).toEqual([]);
  await dialog(page)
    .getByRole('radio', { name: /^Workbench/ })
    .check();
  await dialog(page).getByLabel('Password of Workbench').fill('solder-and-glue');
  await dialog(page).getByRole('button', { name: 'Connect' }).click();
  await expect(dialog(page).getByRole('alert').filter({ hasText: 'Not connected.' })).toContainText(
    'The board could not connect to the network. It does not say why',
  );
  await dialog(page).getByLabel('Password of Workbench').fill(password);
  await dialog(page).getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('dialog', { name: 'Wirebench demo is on Workbench' })).toBeVisible();
  const link = dialog(page).getByRole('link', { name: 'Open the board’s page' });
  await expect(link).toBeFocused();
  await expect(link).toHaveAttribute('href', 'http://192.0.2.23/');
  await expect(link).toHaveAttribute('rel', /noopener/);
  expect(await findings(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(log(page)).toContainText('Improv: network settings sent (SSID Workbench)');
  await expect(log(page)).toContainText('Improv: the board is on Workbench, http://192.0.2.23/');
  const { bytes } = await exported(page, 'Text log');
  const text = bytes.toString();
  expect(text).toContain('SSID Workbench');
  expect(text).not.toContain('solder');
});

test('is used by keyboard alone', async ({ page }) => {
  await openDemo(page);
  await page.getByRole('button', { name: 'Set up Wi-Fi (Improv)…' }).focus();
  await page.keyboard.press('Enter');
  const radios = dialog(page).getByRole('radio');
  await expect(radios).toHaveCount(4);
  await radios.first().focus();
  await page.keyboard.press('Space');
  await expect(radios.first()).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByLabel('Password of Workbench')).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('link', { name: 'Open the board’s page' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await choose(tools(page), 'Set up Wi-Fi…');
  await expect(radios).toHaveCount(4);
});

test('offers a board that reports that it has no network, once, and not again after Not now', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  const state = [...Buffer.from('IMPROV'), 1, 1, 1, 2];
  const packet = [...state, state.reduce((sum, byte) => sum + byte) % 256];
  await port.say('I (900) wifi: no network\r\n', packet);
  const offer = page.getByText('The board on Port 1 can be put on your Wi-Fi.');
  await expect(offer).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
  await port.say(packet);
  await expect(page.getByRole('button', { name: 'Set up Wi-Fi', exact: true })).toHaveCount(0);
});

test('fits a phone', async ({ page }) => {
  await openDemo(page);
  await openDialog(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog(page)
    .getByRole('radio', { name: /^Workbench/ })
    .check();
  await expect(dialog(page).getByLabel('Password of Workbench')).toBeVisible();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});

test('offers a board its Wi-Fi after a write in the flasher, and then its page', { tag: '@long' }, async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  const setUp = page.getByRole('button', { name: 'Set up Wi-Fi' });
  await expect(setUp).toBeFocused();
  await expect(result(page)).toContainText('It has no network yet: it can be put on your Wi-Fi from here.');
  await expect(page.getByRole('button', { name: 'Flash again' })).toBeVisible();
  await setUp.click();
  await dialog(page)
    .getByRole('radio', { name: /^Café Gäste/ })
    .check();
  await dialog(page).getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('dialog', { name: 'Wirebench demo is on Café Gäste' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(result(page)).toContainText('It is on Café Gäste as 192.0.2.23.');
  await expect(page.getByRole('button', { name: 'Open its page' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('offers a visitor of a release the Wi-Fi of the board in the answer', async ({ page }) => {
  await page.goto(demoRelease);
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(result(page)).toContainText('It has no network yet: it can be put on your Wi-Fi from here.');
  await page.getByRole('button', { name: 'Set up Wi-Fi' }).click();
  await dialog(page)
    .getByRole('radio', { name: /^Café Gäste/ })
    .check();
  await dialog(page).getByRole('button', { name: 'Connect' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(result(page)).toContainText('It is on Café Gäste');
  await expect(page.getByRole('button', { name: 'Open its page' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});
