/**
 * The flash button on a maker's page, through Chromium's own Web Serial, with a simulated Espressif chip. The tests
 * compare the chip's flash.
 */
import type { Page } from '@playwright/test';
import { espFirmware, type FirmwareFile, missingIn, noise } from '../../../scripts/firmware/esp-firmware.ts';
import { type MakersPage, serveMakersPage } from '../../support/makers-page.ts';
import { openBrowser } from '../../web-serial/browser.ts';
import { expect, test } from '../../web-serial/esp-fixture.ts';

const kibibyte = 1_024;

interface Build {
  readonly chipFamily: string;
  readonly files: readonly FirmwareFile[];
}

/** Serves a page with a manifest of these builds. */
function serve(builds: readonly Build[]): Promise<MakersPage> {
  const manifest = {
    name: 'Greenhouse',
    version: '2.4.0',
    new_install_prompt_erase: true,
    builds: builds.map(({ chipFamily, files }) => ({
      chipFamily,
      parts: files.map(({ name, offset }) => ({ path: `${chipFamily}/${name}`, offset })),
    })),
  };
  const files = builds.flatMap(({ chipFamily, files: own }) =>
    own.map(({ name, bytes }) => [`${chipFamily}/${name}`, bytes] as const),
  );
  return serveMakersPage('<wirebench-flash manifest="manifest.json"></wirebench-flash>', {
    'manifest.json': JSON.stringify(manifest),
    ...Object.fromEntries(files),
  });
}

async function connect(page: Page, { address }: MakersPage): Promise<void> {
  await page.goto(address);
  await page.getByRole('button', { name: 'Install' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

test.describe('an empty ESP32-S3', () => {
  const files = espFirmware('esp32s3', { project: 'greenhouse', version: '2.4.0', size: 100 * kibibyte });
  const others = espFirmware('esp32', { project: 'greenhouse', version: '2.4.0', size: 50 * kibibyte });
  test.use({ chip: { chip: 'esp32s3', mac: '24:0A:C4:5E:01:7F', flash: { content: 'empty' } } });

  test('gets its build, is verified and started, and nothing is written the second time', async ({
    host,
    device,
    board: plugged,
  }) => {
    await using maker = await serve([
      { chipFamily: 'ESP32', files: others },
      { chipFamily: 'ESP32-S3', files },
    ]);
    await using context = await openBrowser(host, new URL(maker.address).origin);
    const page = context.pages()[0] ?? (await context.newPage());
    await connect(page, maker);
    await expect(page.getByRole('status')).toContainText('are written.');
    expect(plugged.baudRate).toBe(921_600);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Written and verified' })).toBeVisible();
    expect(missingIn(device.flash, files)).toEqual([]);
    await page.getByRole('button', { name: 'Monitor' }).click();
    await page.getByRole('button', { name: 'Reset the board' }).click();
    await expect(page.getByRole('log')).toContainText('Project name:     greenhouse');
    await expect.poll(() => device.state).toBe('running');
    await page.getByRole('button', { name: 'Back' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save receipt' }).click();
    expect((await downloading).suggestedFilename()).toBe('greenhouse-2.4.0-24-0a-c4-5e-01-7f-receipt.txt');

    device.flash.resetCounts();
    await page.getByRole('button', { name: 'Choose another board' }).click();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByRole('heading', { name: 'Written and verified' })).toBeVisible();
    await expect(page.getByRole('status')).toContainText('Nothing had to be written');
    expect(device.flash.erasedBytes).toBe(0);
    expect(device.flash.programmedBytes).toBe(0);
  });
});

test.describe('a board without a build', () => {
  const others = espFirmware('esp32', { project: 'greenhouse', version: '2.4.0', size: 20 * kibibyte });
  test.use({ chip: { chip: 'esp32c6' } });

  test('is refused by the name of its chip, and runs its program again', async ({ host, device, board: plugged }) => {
    await using maker = await serve([{ chipFamily: 'ESP32', files: others }]);
    await using context = await openBrowser(host, new URL(maker.address).origin);
    const page = context.pages()[0] ?? (await context.newPage());
    await connect(page, maker);
    await expect(page.getByRole('status')).toHaveText('This board is an ESP32-C6, but the release is for ESP32.');
    await expect(page.getByRole('button', { name: 'Write' })).toHaveCount(0);
    await expect.poll(() => device.state).toBe('running');
    await expect.poll(() => plugged.spoken.toString()).toContain('esp32c6 with its factory firmware');
    expect(device.flash.erasedBytes).toBe(0);
  });
});

test.describe('a plug that is pulled at 50 %', () => {
  const length = 512 * kibibyte;
  const blocks = length / (16 * kibibyte);
  test.use({ chip: { chip: 'esp32s3', faults: [{ at: 'flash-data', kind: 'unplug', nth: 1 + blocks / 2 }] } });

  test('costs only the rest', async ({ host, device, board: plugged }) => {
    const bytes = noise(length);
    await using maker = await serve([
      { chipFamily: 'ESP32-S3', files: [{ name: 'storage.bin', offset: 0x20_0000, bytes }] },
    ]);
    await using context = await openBrowser(host, new URL(maker.address).origin);
    const page = context.pages()[0] ?? (await context.newPage());
    await connect(page, maker);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect(page.getByRole('status')).toHaveText('The board was unplugged.');
    await expect(page.getByText('only partly written')).toBeVisible();
    await page.evaluate(() => {
      navigator.serial.requestPort = () => Promise.reject(new DOMException('No port selected.', 'NotFoundError'));
    });
    await page.getByRole('button', { name: 'Write the rest' }).click();
    await expect(page.getByText('No board was chosen.')).toBeVisible();
    await expect(page.getByText('only partly written')).toBeVisible();
    device.flash.resetCounts();
    plugged.plug();
    await expect.poll(() => page.evaluate(async () => (await navigator.serial.getPorts()).length)).toBe(1);
    await page.getByRole('button', { name: 'Write the rest' }).click();
    await expect(page.getByRole('heading', { name: 'Written and verified' })).toBeVisible();
    expect(device.flash.programmedBytes).toBeLessThan(0.8 * length);
    expect(bytes.equals(device.flash.read(0x20_0000, length))).toBe(true);
  });
});
