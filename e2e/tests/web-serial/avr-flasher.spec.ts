/**
 * The Arduino flasher through Chromium's own Web Serial, on pseudo-terminals with simulated boards that DTR resets. The
 * tests compare the whole flash of each board: sketch, what is beside it, and the bootloader.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { type AvrDevice, avrFirmware } from '@wirebench/devices';
import { type AvrRigBoard, expect, test } from '../../web-serial/avr-fixture.ts';
import { greeting, sketch, sketchBytes } from '../avr-flasher-steps.ts';
import {
  board,
  chooseFile,
  failure,
  monitor,
  openFacts,
  openSettings,
  remedy,
  result,
  writeButton,
} from '../flasher-steps.ts';

const size = 6_300;
const pageSize = 128;
const pages = Math.ceil(size / pageSize);

/** An older sketch. It is longer than the new one, so that its end must survive. */
const content = [{ address: 0, data: avrFirmware({ lines: ['Old sketch'], size: 20_000, seed: 9 }) }];

test.use({ start: staticPages.avrFlasher });

const wholeFlash = ({ flash }: AvrDevice) => Buffer.from(flash.read(0, flash.size));

/** Returns the wanted flash of a board that now holds `before`. */
function withSketch(before: Buffer): Buffer {
  const wanted = Buffer.from(before);
  wanted.set(sketchBytes(size));
  return wanted;
}

async function connectUno(page: Page): Promise<void> {
  await chooseFile(page, 'greenhouse.ino.hex', sketch(size));
  await page.getByRole('button', { name: 'Connect a board', exact: true }).click();
  await expect(board(page)).toContainText('Ready');
  await expect(board(page)).toContainText('ATmega328P');
}

async function startBatchMode(page: Page): Promise<void> {
  await chooseFile(page, 'greenhouse.ino.hex', sketch(size));
  await openSettings(page);
  const batchMode = page.getByRole('switch', { name: 'Flash each board that is plugged in' });
  await batchMode.click();
  await expect(batchMode).toBeChecked();
}

async function savedText(page: Page, name: string | RegExp, role: 'button' | 'menuitem' = 'button'): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole(role, { name }).click();
  return readFile(await (await download).path(), 'utf8');
}

test.describe('an Uno', () => {
  test.use({ rig: { plugged: true, avrs: [{ board: 'arduino-uno', content }] } });

  test('is reset by DTR, written, read back and heard, and its bootloader stays', async ({
    terminal: page,
    device,
    board: plugged,
  }) => {
    const wanted = withSketch(wholeFlash(device));
    await connectUno(page);
    expect(plugged.seenSignals).toContain('DTR off, RTS off');
    expect(device.state).toBe('bootloader');
    expect(plugged.baudRate).toBe(115_200);
    const facts = await openFacts(page);
    await expect(facts).toContainText('optiboot 4.4');
    await page.keyboard.press('Escape');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    expect(wholeFlash(device).equals(wanted)).toBe(true);
    await expect(monitor(page)).toContainText(greeting);
    await expect(result(page)).toContainText('The board restarted and is talking.');
    expect(plugged.baudRate).toBe(9_600);
    expect(device.state).toBe('running');

    await page.getByRole('button', { name: 'More actions' }).click();
    const receipt = await savedText(page, 'Save receipt', 'menuitem');
    expect(receipt).toMatch(/^board {4}ATmega328P$/m);
    expect(receipt).toMatch(/^unique id unknown$/m);
    expect(receipt).toMatch(new RegExp(`^flash {4}0x0 ${size} bytes read back, SHA-256 [\\da-f]{64}$`, 'm'));
    device.flash.resetCounts();
    await page.getByRole('button', { name: 'Flash again' }).click();
    await expect(result(page)).toContainText('Nothing to write');
    expect(device.flash.programmedBytes).toBe(0);
    expect(device.flash.erasedBytes).toBe(0);

    // Without a unique id, a history could not tell this board from another Uno.
    await openFacts(page);
    await expect(page.getByRole('region', { name: 'History of this board' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });
});

test.describe('an Uno whose cable is pulled at half of the write', () => {
  const faults = [{ at: 'write', kind: 'unplug', nth: Math.ceil(pages / 2) }] as const;
  test.use({ rig: { plugged: true, avrs: [{ board: 'arduino-uno', content, faults }] } });

  test('gets only the rest after it is plugged in again', async ({ terminal: page, device, board: plugged }) => {
    const wanted = withSketch(wholeFlash(device));
    await connectUno(page);
    await writeButton(page).click();
    await expect(page.getByRole('alert', { name: 'The board was unplugged' })).toContainText('only partly written');
    await expect(remedy(page, 'The board was unplugged')).toContainText('Plug the board in again');
    expect(device.state).toBe('off');
    expect(wholeFlash(device).equals(wanted)).toBe(false);
    device.flash.resetCounts();
    plugged.plug();
    // Waits until the browser sees the port, like a person who waits for the board's light.
    await expect.poll(() => page.evaluate(async () => (await navigator.serial.getPorts()).length)).toBe(1);
    await failure(page).getByRole('button', { name: 'Write the rest' }).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(result(page)).toContainText(/[\d.]+ KB written, [\d.]+ KB was already there/);
    expect(device.flash.programmedBytes).toBeLessThan(0.8 * size);
    expect(wholeFlash(device).equals(wanted)).toBe(true);
    await expect(monitor(page)).toContainText(greeting);
  });
});

const counts = (page: Page) => page.getByRole('status').filter({ hasText: /^Boards: / });
const results = (page: Page) => page.getByRole('table', { name: 'Boards of this batch' }).getByRole('row');

/** `baudRate`: that of the second board's bootloader. */
const batches = [
  { name: 'two Unos', avrs: ['arduino-uno', 'arduino-uno'], baudRate: 115_200 },
  { name: 'an Uno and a Nano with the old bootloader', avrs: ['arduino-uno', 'arduino-nano'], baudRate: 57_600 },
] as const;

for (const { name, avrs, baudRate } of batches) {
  test.describe(`batch mode with ${name}`, () => {
    test.use({ rig: { plugged: false, avrs: avrs.map((of) => ({ board: of, content })) } });

    test('writes each when it is plugged in, and lists both', async ({ terminal: page, boards }) => {
      const [first, second] = boards as [AvrRigBoard, AvrRigBoard];
      const wanted = boards.map(({ device }) => withSketch(wholeFlash(device)));
      await startBatchMode(page);
      first.cable.plug();
      await expect(counts(page)).toHaveText('Boards: 1 done');
      expect(second.device.steps.get('write')).toBeUndefined();
      first.cable.unplug();
      second.cable.plug();
      await expect(counts(page)).toHaveText('Boards: 2 done');
      expect(second.cable.baudRate).toBe(baudRate);
      await expect(results(page)).toHaveText([
        /^No\./,
        /ATmega328P.*Written and verified/,
        /ATmega328P.*Written and verified/,
      ]);
      expect(boards.map(({ device }, index) => wanted[index]?.equals(wholeFlash(device)))).toEqual([true, true]);
      await expect.poll(() => second.device.state).toBe('running');
      const receipts = await savedText(page, 'Save 2 receipts as CSV');
      expect(receipts.match(/,verified,ATmega328P,/g)).toHaveLength(2);
    });
  });
}

test.describe('batch mode with an Uno whose cable is pulled, and another one', () => {
  const faults = [{ at: 'write', kind: 'unplug', nth: Math.ceil(pages / 2) }] as const;
  const other = [{ address: 0, data: avrFirmware({ lines: ['Other sketch'], size: 20_000, seed: 10 }) }];
  const avrs = [
    { board: 'arduino-uno', content, faults },
    { board: 'arduino-uno', content: other },
  ] as const;
  test.use({ rig: { plugged: false, avrs } });

  test('writes nothing of the first board to the second', async ({ terminal: page, boards }) => {
    const [first, second] = boards as [AvrRigBoard, AvrRigBoard];
    const wanted = withSketch(wholeFlash(second.device));
    await startBatchMode(page);
    first.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 failed');
    second.cable.plug();
    await expect(counts(page)).toHaveText('Boards: 1 done, 1 failed');
    expect(wholeFlash(second.device).equals(wanted)).toBe(true);
  });
});
