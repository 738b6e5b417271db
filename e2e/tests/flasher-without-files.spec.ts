/** The flashers for somebody who has neither a board nor a file; and what the page does and says around a write. */
import { readFile } from 'node:fs/promises';
import { staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { board, connectDemo, monitor, plan, result, writeButton } from './flasher-steps.ts';
import { connectNordicDemo } from './nrf-flasher-steps.ts';

test('the Demo ESP32 is flashed with its demo firmware, and what it says is saved', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await expect(page.getByRole('textbox', { name: 'Offset of wirebench-demo-esp32.bin' })).toHaveValue('0x10000');
  await expect(page.getByRole('textbox', { name: 'Offset of bootloader.bin' })).toHaveValue('0x1000');
  await expect(page.getByRole('textbox', { name: 'Offset of partition-table.bin' })).toHaveValue('0x8000');
  await expect(page.getByText('The ELF file is for looking up crash addresses', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use demo firmware' })).toBeHidden();
  await writeButton(page).click();
  await expect(result(page)).toContainText(/The board restarted and (is talking|runs wirebench-demo 2\.0\.0)\./);
  await expect(monitor(page)).toContainText('Hello from the program that you have just flashed.');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the monitor’s log' }).click();
  const log = await readFile(await (await download).path(), 'utf8');
  expect(log).toContain('Hello from the program that you have just flashed.');
});

test('a Demo ESP32 that was erased is brought back by its demo firmware', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await page.getByRole('button', { name: 'Erase all' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Erase/ }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('wirebench-demo 2.0.0', { timeout: 30_000 });
  await expect(monitor(page)).toContainText('app_init: App version:      2.0.0');
  await expect(monitor(page)).toContainText('Hello from the program that you have just flashed.');
  await expect(monitor(page)).not.toContainText('invalid header');
});

test('stored settings that were backed up go back where they came from', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up nvs' }).click();
  const file = await download;
  const name = file.suggestedFilename();
  await page.getByRole('button', { name: 'Erase nvs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
  await expectToast(page, 'nvs erased');
  const buffer = await readFile(await file.path());
  await page.getByLabel('Firmware files').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await expect(page.getByRole('textbox', { name: `Offset of ${name}` })).toHaveValue('0x9000');
  await expect(plan(page)).toContainText('choose not to keep the settings stored on the board');
  await page.getByRole('checkbox', { name: 'Keep the settings stored on the board (NVS)' }).uncheck();
  await writeButton(page).click();
  await expect(result(page)).toBeVisible();
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
});

test('a Nordic board that waits for a hand says so, and the page has a button for that on a demo board', async ({
  page,
}) => {
  await page.goto(staticPages.nrfFlasher);
  await connectNordicDemo(page, 'Demo nRF52840 with MCUboot');
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('To flash it again, start its bootloader first', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Flash again' }).click();
  await page.getByRole('button', { name: 'Replug it with its button held' }).click();
  await expect(board(page)).toContainText('Chip detected');
  await expect(plan(page)).toContainText('is already there: nothing needs to be written.');
});

test('a browser that refuses USB devices is asked for these, not for serial ports', async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () =>
      Promise.reject(new DOMException('Access to the feature "usb" is disallowed.', 'SecurityError'));
    Object.defineProperty(Navigator.prototype, 'usb', {
      configurable: true,
      value: Object.assign(new EventTarget(), { requestDevice: refuse, getDevices: async () => [] }),
    });
  });
  await page.goto(staticPages.stmFlasher);
  await page.getByRole('button', { name: 'Choose USB device' }).click();
  const card = page.getByRole('alert', { name: 'This browser does not let the page open USB devices' });
  await expect(card).toContainText('Set USB devices to Ask');
  await expect(card).toContainText('Nothing on the board was changed.');
  await expect(card.getByRole('button', { name: 'Choose another device' })).toBeVisible();
});

for (const width of [1_440, 768, 390]) {
  test(`at ${width} px nothing of the memory map is cut, and files keep their names`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(staticPages.espFlasher);
    await connectDemo(page);
    await page.getByRole('button', { name: 'Use demo firmware' }).click();
    await expect(writeButton(page)).toBeEnabled();
    const map = page.getByRole('img', { name: /^Flash: / });
    const cut = await map.locator('small').evaluateAll(
      (sizes) =>
        sizes.filter((size) => {
          const label = size.parentElement;
          return size.checkVisibility() && label !== null && size.scrollWidth > label.clientWidth;
        }).length,
    );
    expect(cut).toBe(0);
    const title = page.getByText('Memory map', { exact: true });
    expect((await title.boundingBox())?.height).toBeLessThan(24);
    const name = page.getByRole('cell', { name: /^wirebench-demo-esp32\.bin/ });
    expect((await name.boundingBox())?.width).toBeGreaterThan(width === 390 ? 140 : 230);
    // With the result there is a column more, and the monitor has its buttons in one line.
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(page.getByText('Verified', { exact: false }).first()).toBeVisible();
    expect((await name.boundingBox())?.width).toBeGreaterThan(200);
    const save = await page.getByRole('button', { name: 'Save the monitor’s log' }).boundingBox();
    const close = await page.getByRole('button', { name: 'Close', exact: true }).boundingBox();
    expect(Math.abs((save?.y ?? 0) - (close?.y ?? 100))).toBeLessThan(4);
  });
}
