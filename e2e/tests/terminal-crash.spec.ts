/** Crashes in the log: recognised and marked, explained, and decoded by the ELF file that was dropped. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { appInfo, coreElf, extraInfo, panicDetails, printed, words, xtensaStatus } from '@wirebench/symbols/testing';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { openScripted } from './scripted-port.ts';
import { log, openTool, startDemo, type } from './terminal-steps.ts';

const fixtures = new URL('../../packages/symbols/src/testing/fixtures/', import.meta.url);
const elf = readFileSync(new URL('bare-xtensa.elf', fixtures));
const hash = createHash('sha256').update(elf).digest('hex');

/** What `llvm-addr2line -a -f -i` said of an address, innermost first: `square /src/calls.h:2`. */
function addr2line(address: string): string[] {
  const answers = readFileSync(new URL('bare-xtensa.answers.txt', fixtures), 'utf8').split(/^(?=0x)/m);
  const [, ...lines] =
    answers
      .find((answer) => answer.startsWith(`${address}\n`))
      ?.trimEnd()
      .split('\n') ?? [];
  return Array.from({ length: lines.length / 2 }, (_, frame) => `${lines[2 * frame]} ${lines[2 * frame + 1]}`);
}

const addresses = (page: Page) => page.getByRole('list', { name: 'Addresses' }).getByRole('listitem');
const strip = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });
const files = (page: Page) => page.getByLabel('ELF files of the firmware');
const dropped = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

/** The demo device echoes what is typed: so it prints whatever backtrace a test needs. */
async function printBacktrace(page: Page, ...pcs: readonly string[]): Promise<void> {
  await type(page, `Backtrace: ${pcs.map((pc) => `${pc}:0x3ffb4e10`).join(' ')}`);
}

/** Drops a file on the page as a person does, anywhere. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(
    ([file, base64]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(
          new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
        );
      }
    },
    [name, bytes.toString('base64')] as const,
  );
}

test('a crash is marked in the log, announced above it, and explained', async ({ page }) => {
  await startDemo(page);
  await type(page, 'crash');
  await expect(strip(page)).toContainText('The board on Port 1 crashed.');
  await expect(strip(page)).toContainText('The program read from an address that it may not read');
  await page.getByRole('button', { name: 'View the crash' }).press('Enter');
  await expect(strip(page)).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Crashes' })).toBeFocused();
  const crash = page.getByRole('article', { name: 'Crash' });
  await expect(crash).toContainText('EXCVADDR is 0x00000000: a null pointer was used.');
  await expect(crash).toContainText('rst:0xc (SW_CPU_RESET)');
  await expect(crash).toContainText('Drop the ELF file of this firmware on the page');
  await expect(addresses(page).first()).toContainText('0x400d5b3e');
  await page.getByRole('button', { name: 'Show in the log' }).press('Enter');
  await expect(log(page).locator('[data-crash="fault"]').first()).toContainText('Guru Meditation Error');
});

test('a restart that somebody wanted is no crash, and says why it was', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Crashes');
  await expect(page.getByRole('article', { name: 'Crash' })).toContainText(
    'The chip started because power was applied or its reset pin was used.',
  );
  await expect(strip(page)).toHaveCount(0);
});

test('with the ELF file each address is a function, a file and a line, as addr2line says', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await startDemo(page);
  await type(page, `ELF file SHA256: ${hash.slice(0, 16)}`);
  const pcs = ['0x4020000c', '0x40200031', '0x40200048'];
  await printBacktrace(page, ...pcs);
  await expect(strip(page)).toBeVisible();
  await drop(page, 'bare-xtensa.elf', elf);
  await expect(page.getByText('This is the build that ran')).toBeVisible();
  for (const [index, pc] of pcs.entries()) {
    const row = addresses(page).nth(index);
    await expect(row).toContainText(pc);
    for (const frame of addr2line(pc)) {
      await expect(row).toContainText(frame);
    }
  }
  await addresses(page).first().getByRole('button', { name: 'Copy 0x4020000c' }).press('Enter');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const [inner = '', ...outer] = addr2line('0x4020000c').map((frame) => frame.replace(' ', ' at '));
  const decoded = [`0x4020000c: ${inner}`, ...outer.map((frame) => ` (inlined by) ${frame}`)];
  await expect.poll(copied).toBe(decoded.join('\n'));
  await page.getByRole('button', { name: 'Copy all' }).press('Enter');
  await expect.poll(copied).toContain(`ELF file SHA256: ${hash.slice(0, 16)}`);
});

test('of several ELF files the one that ran answers, and the others what it does not know', async ({ page }) => {
  await startDemo(page);
  await type(page, `ELF file SHA256: ${hash.slice(0, 16)}`);
  await printBacktrace(page, '0x4020000c', '0x42000008');
  await expect(strip(page)).toBeVisible();
  const other = readFileSync(new URL('bare-riscv32.elf', fixtures));
  await openTool(page, 'Crashes');
  await files(page).setInputFiles([dropped('bootloader.elf', other), dropped('firmware.elf', elf)]);
  await expect(page.getByText('This is the build that ran')).toBeVisible();
  await expect(addresses(page).nth(0)).toContainText('in firmware.elf');
  await expect(addresses(page).nth(1)).toContainText('in bootloader.elf');
  await page.getByRole('button', { name: 'Remove firmware.elf' }).press('Enter');
  await expect(page.getByText('This is the build that ran')).toHaveCount(0);
});

test('the wrong ELF file is said to be wrong, and so is what is none', async ({ page }) => {
  await startDemo(page);
  await type(page, 'crash');
  await expect(strip(page)).toBeVisible();
  await openTool(page, 'Crashes');
  await files(page).setInputFiles(dropped('old.elf', elf));
  await expect(page.getByText('This is not the build that ran')).toBeVisible();
  await page.getByRole('button', { name: 'Remove old.elf' }).press('Enter');
  await files(page).setInputFiles(dropped('other.elf', readFileSync(new URL('bare-riscv32.elf', fixtures))));
  await expect(page.getByText('This ELF file is for a different processor')).toBeVisible();
  await drop(page, 'firmware.bin', Buffer.from([0xe9, 2, 2, 0x20]));
  await expect(page.getByRole('alert').filter({ hasText: 'This is not an ELF file.' })).toBeVisible();
});

/** Two tasks of the program in the fixture: one crashed in `square`, which `total` called from `_start`; the other gave up the processor. */
const call8 = (address: number) => ((address & 0x3fff_ffff) | 0x8000_0000) >>> 0;
const coreFile = coreElf({
  machine: 94,
  notes: [
    xtensaStatus(0x3ffa_fba0, 0x4020_000c, 0x60020, [call8(0x4020_001b), 0x3ffb_4ec0, 7, 8]),
    xtensaStatus(0x3ffa_fcf8, 0x4020_0018, 0x60020, [0, 0x3ffb_56b0, 0, 0]),
    appInfo(0x102, hash.slice(0, 9)),
    extraInfo(0x3ffa_fba0, 232, 29, 238, 0),
    panicDetails('assert failed: weigh bare.c:6 (x > 0)'),
  ],
  memory: [
    { address: 0x3ffb_4eb0, bytes: words(0, 0x3ffb_4ee0, 1, 2, 0x1111_2222, 0, 0, 0) },
    { address: 0x3ffb_56b0, bytes: words(0, 0, 0, 0) },
  ],
});

test('a core dump in the log waits in the list, and shows the stacks of its tasks once the ELF file is there', async ({
  page,
}) => {
  await startDemo(page);
  const board = await openScripted(page, 2);
  await openTool(page, 'Crashes');
  await board.say(printed(coreFile));
  await page.getByRole('button', { name: /Core dump from the log/ }).click();
  const view = page.getByRole('article', { name: 'Core dump' });
  await expect(view.getByRole('heading', { level: 2 })).toHaveText(
    'assert failed: weigh bare.c:6 (x > 0), in the task at 0x3ffafba0',
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
  await view.getByRole('button', { name: /0x3ffafcf8/ }).press('Enter');
  // The tools move below the log, and onto a phone's whole page: what was chosen stays.
  for (const width of [1440, 1100, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(frames.getByRole('listitem').first()).toContainText('0x40200018');
    expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
    await expectToFit(page);
  }
  await view.getByRole('button', { name: /0x3ffafba0/ }).press('Enter');
  await expect(frames.getByRole('button', { name: /_start/ })).toHaveAttribute('aria-current', 'true');
  // Without its program only the innermost frame is known, and is the one that is shown.
  await page.getByRole('button', { name: 'Remove bare-xtensa.elf' }).press('Enter');
  await expect(frames.getByRole('listitem')).toHaveCount(1);
  await expect(frames.getByRole('button')).toHaveAttribute('aria-current', 'true');
});

test('an ELF core file is a core dump, also when it is named as programs are', async ({ page }) => {
  await startDemo(page);
  await drop(page, 'core.elf', Buffer.from(coreFile));
  const view = page.getByRole('article', { name: 'Core dump' });
  await expect(view).toContainText('core.elf');
  await expect(view.getByRole('heading', { level: 2 })).toBeVisible();
});

test('a core dump that lost lines on the way says so, and can be closed', async ({ page }) => {
  await startDemo(page);
  await drop(page, 'monitor.log', Buffer.from(printed(coreFile).slice(0, 400)));
  const view = page.getByRole('article', { name: 'Core dump' });
  await expect(view).toContainText('This core dump ends too early.');
  await view.getByRole('button', { name: 'Close monitor.log' }).press('Enter');
  await expect(view).toHaveCount(0);
});

test('an ELF file of 20 MB is read while the log goes on', async ({ page }) => {
  await startDemo(page);
  await printBacktrace(page, '0x4020000c');
  await expect(strip(page)).toBeVisible();
  await openTool(page, 'Crashes');
  await type(page, 'load 20000 3');
  await files(page).setInputFiles(dropped('large.elf', Buffer.concat([elf, Buffer.alloc(20_000_000)])));
  await expect(addresses(page).first()).toContainText('square');
  await expect(log(page)).toContainText(/load: \d+ lines/);
});

test('the tools are without findings, also on a phone', async ({ page }) => {
  await startDemo(page);
  await type(page, 'adc 2 20 5');
  // A board that is busy receives nothing.
  await expect(log(page)).toContainText(/adc2:\d+[\s\S]{0,40}demo>\s*$/);
  await type(page, 'crash');
  await expect(strip(page)).toBeVisible();
  await openTool(page, 'Crashes');
  await files(page).setInputFiles(dropped('old.elf', elf));
  await expect(page.getByText('This is not the build that ran')).toBeVisible();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const tool of ['Crashes', 'Plot', 'Statistics', 'Baud finder']) {
      await page.getByRole('tab', { name: tool }).click();
      await expect(page.getByRole('tabpanel', { name: tool })).toBeVisible();
      expect(await findings(page, { within: '[data-tool-dock]' })).toEqual([]);
      await expectToFit(page);
    }
  }
});
