/**
 * Several boards at one page through Chromium's own Web Serial: written at the same time, and one after the other in
 * batch mode. The tests compare each chip's flash.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import type { EspDeviceOptions } from '@wirebench/devices';
import { espFirmware, type FirmwareFile, missingIn } from '../../../scripts/firmware/esp-firmware.ts';
import { findings } from '../../support/accessibility.ts';
import { expectToFit } from '../../support/fits.ts';
import { expect, type RigBoard, test } from '../../web-serial/esp-rig-fixture.ts';
import { addFile, openOffsets, openSettings, result } from '../flasher-steps.ts';

const kibibyte = 1_024;
const macs = ['01', '02', '03', '04', '05', '06'].map((end) => `24:0A:C4:5E:00:${end}`);

const files = espFirmware('esp32s3', { project: 'greenhouse', version: '2.4.0', size: 64 * kibibyte });

/** Returns empty chips of one kind. */
const chipsOf = (count: number, part: Partial<EspDeviceOptions> = {}): EspDeviceOptions[] =>
  macs.slice(0, count).map((mac) => ({ chip: 'esp32s3', mac, flash: { content: 'empty' }, ...part }));

const tab = (page: Page, { device }: RigBoard) =>
  page.getByRole('tablist', { name: 'Boards' }).getByRole('tab', { name: device.mac.slice(-8).toLowerCase() });
const counts = (page: Page) => page.getByRole('status').filter({ hasText: /^Boards: / });
/** Rows of the boards that are not written. */
const open = (page: Page) =>
  page.getByRole('table', { name: 'Boards of this batch' }).getByRole('row', { name: /Failed|Waits for you/ });

async function chooseBuild(page: Page, build: readonly FirmwareFile[]): Promise<void> {
  await page
    .getByLabel('Firmware files')
    .setInputFiles(build.map(({ name, bytes }) => ({ name, mimeType: 'application/octet-stream', buffer: bytes })));
  await openOffsets(page);
  for (const { name, offset } of build) {
    await expect(page.getByRole('textbox', { name: `Offset of ${name}` })).toHaveValue(`0x${offset.toString(16)}`);
  }
}

async function startBatchMode(page: Page, build = files): Promise<void> {
  await chooseBuild(page, build);
  await switchOnBatchMode(page);
}

/** Switches batch mode on; from then on the page flashes each board that is plugged in. */
async function switchOnBatchMode(page: Page): Promise<void> {
  await openSettings(page);
  const batchMode = page.getByRole('switch', { name: 'Flash each board that is plugged in' });
  await batchMode.click();
  await expect(batchMode).toBeChecked();
}

async function savedText(page: Page, button: string | RegExp): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await download).path(), 'utf8');
}

/** Returns the MACs of the boards with a receipt, in its order. */
async function flashedBoards(page: Page): Promise<string[]> {
  const table = await savedText(page, /^Save \d+ receipts? as CSV$/);
  const [head = '', ...rows] = table.trim().split('\r\n');
  const column = head.split(',').indexOf('id');
  return rows.map((row) => (row.split(',')[column] ?? '').toUpperCase());
}

test.use({ start: staticPages.espFlasher });

test.describe('two boards at two ports', () => {
  test.use({ rig: { plugged: true, chips: chipsOf(2) } });

  test('are written at the same time, and each has its own receipt', async ({ terminal: page, boards }) => {
    const [one, two] = boards as [RigBoard, RigBoard];
    await chooseBuild(page, files);
    await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
    await expect(page.getByRole('tab', { name: /Ready/ })).toHaveCount(1);
    await page.getByRole('button', { name: 'Add a board' }).click();
    await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
    await page.getByRole('menuitem', { name: /^2: .*, allowed before$/ }).click();
    for (const board of boards) {
      await expect(tab(page, board)).toContainText('Ready');
    }
    const writing: RigBoard[] = [];
    for (const board of boards) {
      board.port.on('data', () => writing.push(board));
    }
    await page.getByRole('button', { name: 'Write all 2 boards' }).click();
    for (const board of boards) {
      await expect(tab(page, board)).toContainText('Done');
    }
    // The writes overlap: neither waits for the other's end.
    expect(writing.indexOf(one)).toBeLessThan(writing.lastIndexOf(two));
    expect(writing.indexOf(two)).toBeLessThan(writing.lastIndexOf(one));
    for (const board of boards) {
      expect(missingIn(board.device.flash, files)).toEqual([]);
      // Facts of the selected board overlay the lower half of its tab.
      await tab(page, board).click({ position: { x: 20, y: 12 } });
      await expect(result(page)).toContainText('The board restarted and runs greenhouse 2.4.0.');
      const receipt = await savedText(page, 'Save receipt');
      expect(receipt).toContain(`mac      ${board.device.mac.toLowerCase()}`);
      expect(receipt).toContain('result   written and verified');
      await expect.poll(() => board.device.state).toBe('running');
    }
    await expect(page.getByText('Boards flashed in this session: 2')).toBeVisible();
  });
});

test.describe('batch mode', () => {
  const faulty = { faults: [{ at: 'flash-data', kind: 'error-answer', nth: 2, times: 1_000 }] } as const;
  const pulled = { faults: [{ at: 'flash-data', kind: 'unplug', nth: 3 }] } as const;
  const [good, broken, loose, last] = chipsOf(4) as [
    EspDeviceOptions,
    EspDeviceOptions,
    EspDeviceOptions,
    EspDeviceOptions,
  ];
  test.use({ rig: { plugged: false, chips: [good, { ...broken, ...faulty }, { ...loose, ...pulled }, last] } });

  test('writes board after board, names those that failed, and goes on', async ({ terminal: page, boards }) => {
    const [first, second, third, fourth] = boards as [RigBoard, RigBoard, RigBoard, RigBoard];
    await startBatchMode(page);
    first.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done');
    // No monitor is open, so the running program is unknown.
    await expect(result(page)).toContainText('The board was restarted.');
    expect(missingIn(first.device.flash, files)).toEqual([]);
    await expect.poll(() => first.device.state).toBe('running');
    first.cable.unplug();

    second.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done, 1 failed');
    await expect(open(page)).toContainText(`ESP32-S3 ${second.device.mac.toLowerCase()}`);
    second.cable.unplug();

    // This board is unplugged during the write.
    third.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done, 2 failed');
    await expect(open(page)).toHaveCount(2);
    expect(third.device.state).toBe('off');

    fourth.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 2 done, 2 failed');
    expect(missingIn(fourth.device.flash, files)).toEqual([]);

    third.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 3 done, 1 failed');
    await expect(open(page)).toHaveCount(1);
    await expect(open(page)).toContainText(second.device.mac.toLowerCase());
    expect(missingIn(third.device.flash, files)).toEqual([]);
    await expect(tab(page, third)).toHaveCount(1);
    expect(await flashedBoards(page)).toEqual([first, fourth, third].map(({ device }) => device.mac));
  });
});

test.describe('batch mode with a board of another chip', () => {
  test.use({ rig: { plugged: false, chips: [{ chip: 'esp32c3', mac: macs[5] ?? '' }, ...chipsOf(1)] } });

  test('writes nothing to it, says what it waits for, and goes on', async ({ terminal: page, boards }) => {
    const [other, right] = boards as [RigBoard, RigBoard];
    await startBatchMode(page);
    other.device.flash.resetCounts();
    other.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 waiting for you');
    await expect(open(page)).toContainText(`ESP32-C3 ${other.device.mac.toLowerCase()}`);
    right.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done, 1 waiting for you');
    expect(other.device.flash.erasedBytes).toBe(0);
    expect(missingIn(right.device.flash, files)).toEqual([]);
  });
});

test.describe('batch mode with boards on their own USB, whose port vanishes at each reset', () => {
  test.use({ rig: { plugged: false, chips: chipsOf(2, { connection: 'usb-jtag', reenumerate: 300 }) } });

  test('writes each of them once', async ({ terminal: page, boards }) => {
    const [one, two] = boards as [RigBoard, RigBoard];
    await startBatchMode(page);
    one.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done');
    await expect.poll(() => one.device.state).toBe('running');
    two.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 2 done');
    await expect.poll(() => two.device.state).toBe('running');
    expect(one.device.state).toBe('running');
    expect(await flashedBoards(page)).toEqual([one, two].map(({ device }) => device.mac));
    for (const { device } of boards) {
      expect(missingIn(device.flash, files)).toEqual([]);
    }
  });
});

test.describe('batch mode with more boards than places', () => {
  test.use({ rig: { plugged: false, chips: chipsOf(5, { connection: 'usb-jtag' }) } });

  test('takes all that are plugged in at one moment, the last when places are free', async ({
    terminal: page,
    boards,
  }) => {
    await startBatchMode(page);
    for (const { cable } of boards) {
      cable.plug();
    }
    await expect(counts(page)).toHaveText('Boards: 5 done', { timeout: 60_000 });
    expect((await flashedBoards(page)).toSorted()).toEqual(macs.slice(0, 5));
    for (const { device } of boards) {
      expect(missingIn(device.flash, files)).toEqual([]);
      await expect.poll(() => device.state).toBe('running');
    }
  });
});

test.describe('batch mode with Wi-Fi', () => {
  const [withImprov, without] = macs.map((mac): EspDeviceOptions => ({ chip: 'esp32s3', mac })) as [
    EspDeviceOptions,
    EspDeviceOptions,
  ];
  test.use({ rig: { plugged: false, chips: [withImprov, { ...without, improv: 'none' }] } });

  test('puts boards on the network that was asked for once, names those that do not answer, and shows no password', {
    tag: '@long',
  }, async ({ terminal: page, boards }) => {
    const [first, second] = boards as [RigBoard, RigBoard];
    // The program stays the one that the boards came with.
    await addFile(page, 'storage.bin', Buffer.alloc(8 * kibibyte, 0x5a), '0x110000');
    await switchOnBatchMode(page);
    await page.getByRole('button', { name: 'Wi-Fi for each board…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Put each board on your Wi-Fi' });
    await dialog.getByLabel('Name of the network').fill('Workbench');
    await dialog.getByLabel('Password of Workbench').fill('solder-and-flux');
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use for each board' }).click();
    await expect(page.getByText('is put on Workbench after its write.')).toBeVisible();

    first.cable.plug();
    const outcome = ({ device }: RigBoard) =>
      page.getByRole('listitem').filter({ hasText: `ESP32-S3 ${device.mac.toLowerCase()}` });
    await expect(outcome(first)).toContainText('is on Workbench, http://192.0.2.23/');
    await expect(counts(page)).toHaveText('Boards: 1 done');
    second.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 2 done');
    await expect(outcome(second)).toContainText('is not on Workbench.');
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain('solder-and-flux');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    expect(await findings(page)).toEqual([]);
  });
});

test.describe('batch mode beside a monitor', () => {
  test.use({ rig: { plugged: false, chips: chipsOf(2) } });

  test('takes the next board, which the monitor does not take for the one that it has lost', async ({
    terminal: page,
    boards,
  }) => {
    const [one, two] = boards as [RigBoard, RigBoard];
    await chooseBuild(page, files);
    one.cable.plug();
    await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
    await page.getByRole('button', { name: /^Write \d files?$/ }).click();
    await expect(page.getByRole('log', { name: 'Monitor' })).toContainText('Project name: greenhouse');
    await switchOnBatchMode(page);
    one.cable.unplug();
    two.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done');
    await expect(open(page)).toHaveCount(0);
    expect(missingIn(two.device.flash, files)).toEqual([]);
  });
});
