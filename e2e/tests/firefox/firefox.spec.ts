/** The product in the real Firefox: terminal, flashers, bench, release page, sign-in. */
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, esp32BenchPage, pagePaths, staticPages } from '@wirebench/contract';
import { expect, test } from '../../firefox/fixture.ts';
import { expectToFit } from '../../support/fits.ts';
import { board, connectDemo, demoRelease, plan, result, writeButton } from '../flasher-steps.ts';
import { captureTransfer, findBus, leaveButton, loadProgram, plotBme280 } from '../lab-steps.ts';
import { account, signInByWindow } from '../sign-in-steps.ts';
import {
  exported,
  loadOutput,
  log,
  message,
  openTerminal,
  openTool,
  prompt,
  saved,
  sha256,
  startDemo,
  startRecording,
  type,
} from '../terminal-steps.ts';

test('the home page finds Web Serial, its dialogs open, and maker signs in, also after a reload, and out', async ({
  page,
}) => {
  await page.goto(pagePaths.home);
  expect(await page.evaluate(() => navigator.userAgent)).toContain('Firefox/');
  await expect(page.getByText('Web Serial ready in this browser')).toBeVisible();
  await expectToFit(page);
  await page.getByRole('button', { name: 'Firmware flasher', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Which chip family?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await signInByWindow(page, 'maker');
  await page.reload();
  await expect(account(page, 'maker')).toBeVisible();
  await account(page, 'maker').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
});

test('the terminal talks to the demo device, exports and records every byte, and asks before it is left', async ({
  page,
}) => {
  await startDemo(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await expect(message(page)).toBeInViewport({ ratio: 1 });
  await expectToFit(page);

  await test.step('a load of 20,000 bytes is recorded without a loss', async () => {
    const stop = await startRecording(page);
    await page.getByRole('button', { name: 'Clear' }).click();
    await type(page, 'load 10000 2');
    await expect(log(page)).toContainText('load: 500 lines, 20000 bytes');
    await expect(log(page)).toContainText(prompt);
    const { bytes } = await saved(page, stop);
    expect(sha256(bytes)).toBe(sha256(loadOutput(10_000, 2)));
  });

  await test.step('the log is saved as text', async () => {
    const { name, bytes } = await exported(page, 'Text log');
    expect(name).toMatch(/\.txt$/);
    expect(bytes.toString()).toContain('load: 500 lines, 20000 bytes');
  });

  await test.step('leaving with an open port asks first', async () => {
    await message(page).click();
    const asked = page.waitForEvent('dialog');
    const left = page.evaluate(() => {
      setTimeout(() => location.assign('/intro'));
    });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await left;
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  });
});

test('a port of Firefox opens, returns each byte that is sent to it, and closes', async ({ page }) => {
  await page.addInitScript(() => {
    // The empty page before the first address has no serial ports.
    if ('serial' in navigator) {
      Object.assign(navigator.serial, { autoselectPorts: true });
    }
  });
  await openTerminal(page);
  await page.getByRole('button', { name: 'Connect port 1' }).first().click();
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await page.getByRole('button', { name: /^Send options/ }).click();
  await page.getByRole('radiogroup', { name: 'Typed as' }).getByRole('radio', { name: 'Hex' }).check();
  await page.keyboard.press('Escape');
  const bytes = Buffer.from(Array.from({ length: 120 }, (_, index) => (index * 37 + 128) % 256));
  await type(page, bytes.toString('hex'));
  await openTool(page, 'Statistics');
  await expect(page.getByText('120 B', { exact: true })).toHaveCount(2);
  const { bytes: received } = await exported(page, 'Received bytes of Port 1');
  expect(received.toString('hex')).toBe(bytes.toString('hex'));
  await page.getByRole('button', { name: 'Disconnect port 1' }).click();
  await expect(log(page)).toContainText('Port 1 disconnected');
});

test('the release page shows its version, and its link flashes the Demo ESP32', async ({ page }) => {
  await page.goto(releasePath('project', demoReleaseId));
  await expect(page.getByRole('heading', { level: 1, name: 'Wirebench demo' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Install', exact: true })).toBeVisible();
  await page.getByText('For developers').click();
  await expect(page.getByRole('img', { name: 'QR code of the link' }).locator('path')).toBeAttached();
  await expectToFit(page);
  await page.goto(demoRelease);
  await connectDemo(page);
  await expect(plan(page)).toBeVisible();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expectToFit(page);
});

for (const [family, path, button] of [
  ['STM32', staticPages.stmFlasher, /^Try the Demo/],
  ['Nordic', staticPages.nrfFlasher, /^Try the Demo/],
  ['Arduino', staticPages.avrFlasher, /^Try the Demo/],
  ['Raspberry Pi', staticPages.rpFlasher, /^Try the Demo/],
] as const) {
  test(`the ${family} flasher connects its demo board`, async ({ page }) => {
    await page.goto(path);
    await page.getByRole('button', { name: button }).click();
    await expect(board(page)).toContainText('Ready');
    await expectToFit(page);
  });
}

test('the bench scans the demo board, plots a BME280, and captures a transfer with the program in RAM', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await expect(leaveButton(page)).toBeVisible();
  await findBus(page, 'SDA 21 SCL 22');
  await plotBme280(page);
  await loadProgram(page);
  await page.getByRole('tab', { name: 'Capture' }).click();
  await captureTransfer(page);
  await expectToFit(page);
  await leaveButton(page).click();
  await expect(page.getByRole('button', { name: 'Try the Demo ESP32 bench' })).toBeVisible();
});
