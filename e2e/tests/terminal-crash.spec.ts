/** Crashes in the log and the ELF files that explain them: core dumps, a large file, and the layout of the tools. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { bareXtensaCore, printed } from '@wirebench/symbols/testing';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { openScripted } from './scripted-port.ts';
import { chooseTool, drop, foldDock, log, openTool, startDemo, type } from './terminal-steps.ts';

const fixtures = new URL('../../packages/symbols/src/testing/fixtures/', import.meta.url);
const elf = readFileSync(new URL('bare-xtensa.elf', fixtures));
const hash = createHash('sha256').update(elf).digest('hex');

const addresses = (page: Page) => page.getByRole('list', { name: 'Addresses' }).getByRole('listitem');
const strip = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });
const files = (page: Page) => page.getByLabel('ELF files of the firmware');
const dropped = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

/** Prints a backtrace by typing it: the demo device echoes its input. */
async function printBacktrace(page: Page, ...pcs: readonly string[]): Promise<void> {
  await type(page, `Backtrace: ${pcs.map((pc) => `${pc}:0x3ffb4e10`).join(' ')}`);
}

const coreFile = bareXtensaCore(hash);

test('an ELF file of 20 MB is read while the log goes on; a core dump waits in the list and shows the stacks of its tasks once its file is there', async ({
  page,
}) => {
  await startDemo(page);

  await test.step('an ELF file of 20 MB is read while the log goes on', async () => {
    await printBacktrace(page, '0x4020000c');
    await expect(strip(page)).toBeVisible();
    await openTool(page, 'Crashes');
    await type(page, 'load 20000 3');
    await files(page).setInputFiles(dropped('large.elf', Buffer.concat([elf, Buffer.alloc(20_000_000)])));
    await expect(addresses(page).first()).toContainText('square');
    await expect(log(page)).toContainText(/load: \d+ lines/);
  });

  await test.step('a core dump in the log waits in the list, and shows the stacks of its tasks once the ELF file is there', async () => {
    await chooseTool(page, 'Remove large.elf');
    const board = await openScripted(page, 2);
    await board.say(printed(coreFile));
    await page.getByRole('button', { name: /Core dump from the log/ }).click();
    const view = page.getByRole('article', { name: 'Core dump' });
    await expect(view.getByRole('heading', { level: 2 })).toHaveText(
      'assert failed: weigh bare.c:6 (x > 0), in the task at 0x3FFAFBA0',
    );
    await expect(view).toContainText(`Drop the ELF file whose SHA-256 begins with ${hash.slice(0, 9)}`);
    const frames = view.getByRole('list', { name: 'Frames, innermost first' });
    await expect(frames.getByRole('listitem')).toHaveCount(1);
    await drop(page, 'bare-xtensa.elf', elf);
    await expect(view).toContainText('bare-xtensa.elf is the build that crashed');
    await expect(frames.getByRole('listitem')).toHaveCount(2);
    await expect(frames.getByRole('listitem').first()).toContainText('square');
    await expect(frames.getByRole('listitem').nth(1)).toContainText('_start');
    await expect(frames.getByRole('listitem').nth(1)).toContainText('Saved register window');
    await frames.getByRole('button', { name: /_start/ }).press('Enter');
    await view.getByRole('button', { name: /0x3FFAFCF8/ }).press('Enter');
    // The tool gets narrower, and covers the whole page on a phone: the selection stays.
    for (const width of [1440, 1100, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(frames.getByRole('listitem').first()).toContainText('0x40200018');
      expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
      await expectToFit(page);
    }
    await view.getByRole('button', { name: /0x3FFAFBA0/ }).press('Enter');
    await expect(frames.getByRole('button', { name: /_start/ })).toHaveAttribute('aria-pressed', 'true');
    // Without the ELF file only the innermost frame is known, and it is selected.
    // On a phone the tool covers the list of tools.
    await page.setViewportSize({ width: 1_440, height: 844 });
    await chooseTool(page, 'Remove bare-xtensa.elf');
    await expect(frames.getByRole('listitem')).toHaveCount(1);
    await expect(frames.getByRole('button')).toHaveAttribute('aria-pressed', 'true');
  });
});

test('the tools are without findings, also on a phone', async ({ page }) => {
  await startDemo(page);
  await type(page, 'adc 2 20 5');
  // Waits for the prompt, because a busy board ignores input.
  await expect(log(page)).toContainText(/adc2:\d+[\s\S]{0,40}demo>\s*$/);
  await type(page, 'crash');
  await expect(strip(page)).toBeVisible();
  await openTool(page, 'Crashes');
  await files(page).setInputFiles(dropped('old.elf', elf));
  await expect(page.getByText('This is not the build that ran')).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const tool of ['Plot', 'Statistics', 'Crashes']) {
      // On a phone, the dock covers the list of tools.
      await foldDock(page);
      await openTool(page, tool);
      expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
      await expectToFit(page);
    }
  }
});

test('a crash is removed without a question, and Undo brings it back with its core dump', async ({ page }) => {
  const dump = page.getByRole('article', { name: 'Core dump' });
  const tab = page.getByRole('tab', { name: /^Crashes/ });
  const remove = page.getByRole('button', { name: 'Remove this crash' });
  await startDemo(page);
  await type(page, 'crash null');
  await page.getByRole('button', { name: 'View the crash' }).press('Enter');
  await page.getByRole('button', { name: "Use the demo's ELF file" }).press('Enter');
  await expect(dump).toContainText('wirebench-demo-esp32.elf is the build that crashed');
  await expect(page.getByRole('button', { name: /^Add ELF file/ })).toHaveCount(0);
  await expect(tab).toHaveText('Crashes1');
  await expect(log(page)).toContainText(/demo>\s*$/);

  await remove.press('Enter');
  await expect(dump).toHaveCount(0);
  await expect(tab).toHaveText('Crashes');
  // The focus stays in the tool.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-tool-dock]') !== null)).toBe(true);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(dump).toContainText('wirebench-demo-esp32.elf is the build that crashed');
  await expect(tab).toHaveText('Crashes1');

  // Another crash comes while the first is gone, and the list has the new one alone.
  await remove.press('Enter');
  await type(page, 'crash assert');
  await expect(tab).toHaveText('Crashes1');
  await expect(dump.getByRole('heading', { level: 2 })).toContainText('assert');
  await expect(page.getByRole('list', { name: 'Crashes and restarts, newest first' })).toHaveCount(0);
});
