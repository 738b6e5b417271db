/** Logs in files: dropped on the terminal, opened in a tab of their own, and used with every tool. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { logPage } from '@wirebench/contract';
import { crashText } from '@wirebench/devices';
import { bareXtensaCore, printed } from '@wirebench/symbols/testing';
import { findings } from '../support/accessibility.ts';
import { DraggedFiles } from '../support/drag-files.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { exported, foldDock, held, log, openTerminal, openTool, showMore } from './terminal-steps.ts';

/** A log of minicom with readings and a crash with its core dump. */
function crashLog(): string {
  const readings = Array.from({ length: 40 }, (_, index) => `temp=${20 + (index % 7)}.5 hum=${40 + (index % 5)}`);
  return [...readings, ...crashText('null', 4_200).split('\r\n'), 'ready']
    .map((line, index) => `[2026-11-20 14:03:${String(index % 60).padStart(2, '0')}.120] ${line}\n`)
    .join('');
}

const readings = (clock: string, word: string) =>
  Array.from({ length: 3 }, (_, index) => `${clock.replace('S', String(index))}${word} ${index}\n`).join('');

const banner = (page: Page) => page.getByRole('region', { name: 'Opened log' });
const findField = (page: Page) => page.getByRole('textbox', { name: 'Find in the console' });

async function openLogs(page: Page, ...files: readonly { readonly name: string; readonly content: string | Buffer }[]) {
  await page.goto(logPage);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await (await chooser).setFiles(
    files.map(({ name, content }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })),
  );
  await expect(banner(page).getByRole('button', { name: `Close ${files[0]?.name}` })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(files.length);
}

test('a log dropped on the terminal opens in a tab of its own, with its crash, times and tools', async ({
  page,
}, info) => {
  const path = info.outputPath('overnight.log');
  await writeFile(path, crashLog());
  await openTerminal(page);
  await new DraggedFiles(page, [path]).dropAt({ x: 600, y: 400 });
  await expect(page.getByText('A log with a crash: it can be opened with all tools.')).toBeVisible();
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open the log' }).click();
  const tab = await opening;
  await expect(banner(tab)).toContainText(/^minicom or Tera Term · UTF-8/);
  await expect(tab.getByRole('tab', { name: 'overnight.log' })).toBeVisible();
  await expect(banner(tab).getByText('overnight.log', { exact: true })).toHaveCount(0);
  await expect(log(tab)).toContainText('14:03:00.120');
  await expect(log(tab)).toContainText('temp=20.5 hum=40');
  await expect(log(tab)).not.toContainText('[2026');
  await expect(tab.getByText('An opened log: nothing can be sent.')).toBeVisible();
  await expect(tab.getByRole('textbox', { name: 'Message' })).toHaveCount(0);

  await findField(tab).fill('hum=44');
  await tab.getByRole('button', { name: 'Show only lines that match' }).click();
  await expect(held(tab)).toContainText('8 of');
  await findField(tab).fill('');

  await openTool(tab, 'Plot');
  await expect(tab.getByRole('region', { name: 'Plot' })).toContainText('temp');
  await openTool(tab, 'Crashes');
  await expect(tab.getByRole('article', { name: /^(Crash|Core dump)$/ })).toBeVisible();
  await openTool(tab, 'Statistics');
  await expect(tab.getByRole('region', { name: 'Statistics', exact: true })).toBeVisible();
  await openTool(tab, 'Rules');
  await choose(tab.getByRole('button', { name: 'Add a rule' }), 'Own rule…');
  const form = tab.getByRole('form', { name: 'Rule' });
  // A log is never silent, and nothing is sent or recorded.
  await expect(form.getByRole('radio')).toHaveCount(2);
  await form.getByRole('textbox', { name: 'A line with' }).fill('hum=44');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(tab.getByRole('list', { name: 'Rules' }).getByRole('listitem')).toContainText(/8.*red line/);
  await expect(log(tab).locator('[data-rule="red"]').first()).toContainText('hum=44');
  expect(await findings(tab)).toEqual([]);
  await tab.getByRole('radio', { name: 'Hex' }).check({ force: true });
  await expect(log(tab)).toContainText('74 65 6D 70');
});

test('a core dump in a log is decoded by its ELF file, and other framings split its lines', async ({ page }) => {
  const elf = readFileSync(new URL('../../packages/symbols/src/testing/fixtures/bare-xtensa.elf', import.meta.url));
  const core = printed(bareXtensaCore(createHash('sha256').update(elf).digest('hex')));
  const lines = core.split('\n').map((line) => `[2026-11-20 14:03:05] ${line}\n`);
  await openLogs(page, { name: 'crash.log', content: lines.join('') });
  await openTool(page, 'Crashes');
  await page.getByRole('article', { name: 'Core dump' }).waitFor();
  const view = page.getByRole('article', { name: 'Core dump' });
  await page
    .getByLabel('ELF files of the firmware')
    .setInputFiles({ name: 'bare-xtensa.elf', mimeType: 'application/octet-stream', buffer: elf });
  await expect(view).toContainText('bare-xtensa.elf is the build that crashed');
  await expect(view.getByRole('list', { name: 'Frames, innermost first' })).toContainText('square');
  await foldDock(page);

  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  const pane = page.getByRole('complementary', { name: 'How log 1 is read' });
  await pane.getByRole('combobox', { name: 'Split lines' }).selectOption({ label: 'SLIP frames' });
  // Text is no SLIP frame, so all of it is one.
  await expect(held(page)).toHaveText('1 line');
});

test('raw bytes are exported as the file, byte for byte', async ({ page }) => {
  const content = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, index) => (index * 31) ^ (index >> 7)));
  await openLogs(page, { name: 'capture.raw', content });
  await expect(banner(page)).toContainText('Raw bytes');
  const file = await exported(page, 'Received bytes of capture.raw');
  expect(file.bytes.equals(content)).toBe(true);
});

test('two logs with times are on one timeline, and side by side without', async ({ page }) => {
  await openLogs(
    page,
    { name: 'one.log', content: readings('14:00:0S.100 -> ', 'one') },
    { name: 'two.log', content: readings('[14:00:0S.200] ', 'two') },
  );
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('2 logs, by their times');
  const rows = log(page).locator('[data-direction="received"]');
  await expect(rows).toHaveText([/one 0/, /two 0/, /one 1/, /two 1/, /one 2/, /two 2/]);

  await page.getByRole('tab', { name: 'two.log' }).click({ position: { x: 14, y: 14 } });
  await page.getByRole('button', { name: 'Settings of port 2' }).click();
  const pane = page.getByRole('complementary', { name: 'How log 2 is read' });
  await pane.getByRole('combobox', { name: 'Written by' }).selectOption({ label: 'No times in front of lines' });
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('2 logs, side by side');
  await expect(log(page)).toHaveCount(2);
  await expect(log(page).nth(1)).toContainText('[14:00:00.200] two 0');

  await banner(page).getByRole('button', { name: 'Close two.log' }).click();
  await expect(log(page)).toHaveCount(1);
  await banner(page).getByRole('button', { name: 'Close one.log' }).click();
  await expect(page.getByRole('heading', { name: 'Open a log' })).toBeVisible();
});

test('logs side by side begin at their first lines', async ({ page }) => {
  const many = (word: string) => Array.from({ length: 300 }, (_, index) => `${word} ${index}\n`).join('');
  await openLogs(page, { name: 'one.log', content: many('one') }, { name: 'two.log', content: many('two') });
  await expect(log(page)).toHaveCount(2);
  await expect(log(page).nth(0)).toContainText('one 0');
  await expect(log(page).nth(1)).toContainText('two 0');
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect(log(page).nth(1)).toContainText('two 299');
});

test('a person marks the time of a form that no program has, by keyboard, and the next file has it', async ({
  page,
}) => {
  const content = ['14:03:05; boot', '14:03:06; ready', '48 65 6c 6c 6f', '14:03:07; temp 21'].map((line) =>
    /^\d\d:/.test(line) ? `03/04/26 ${line}\n` : `${line}\n`,
  );
  const file = { name: 'field.log', content: content.join('') };
  await openLogs(page, file);
  await expect(log(page)).toContainText('03/04/26 14:03:05; boot');
  await expect(banner(page)).toContainText('No times recognised.');
  await banner(page).getByRole('button', { name: 'Mark the time…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Mark the time' });
  const line = dialog.getByRole('textbox', { name: 'Line 1 of the first 4' });
  await expect(line).toBeFocused();
  await expect(dialog).toContainText('Marked: 03/04/26 14:03:05');
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(dialog.getByRole('alert')).toHaveText(
    'Another digit stands beside the marked ones. Mark the whole time.',
  );
  await page.keyboard.press('Shift+ArrowRight');
  const use = dialog.getByRole('button', { name: 'Use' });
  await expect(use).toBeDisabled();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('radio', { name: '3 April 2026' }).check({ force: true });
  const readings = dialog.getByRole('region', { name: 'Lines as they will be read' });
  await expect(readings.getByRole('row')).toHaveText([
    'TimeLine',
    '3 April 2026 14:03:05.00003/04/26 14:03:05; boot',
    '3 April 2026 14:03:06.00003/04/26 14:03:06; ready',
    'no time48 65 6c 6c 6f',
    '3 April 2026 14:03:07.00003/04/26 14:03:07; temp 21',
  ]);
  await expect(dialog).toContainText('Read in 3 of 4 lines.');
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 1_440, height: 844 });
  await use.press('Enter');
  await expect(dialog).toHaveCount(0);
  const rows = log(page).locator('[data-direction="received"]');
  const shown = [/14:03:05\.000.*boot/, /14:03:06\.000.*ready/, /↑14:03:06\.000.*48 65/, /14:03:07\.000.*temp 21/];
  await expect(rows).toHaveText(shown);
  await expect(banner(page)).toContainText('Marked: DD/MM/YY hh:mm:ss;');

  await openLogs(page, file);
  await expect(rows).toHaveText(shown);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  const pane = page.getByRole('complementary', { name: 'How log 1 is read' });
  await expect(pane).toContainText('Lines without a time show that of the line above, with ↑.');
  await pane.getByRole('button', { name: 'Forget this form' }).click();
  await expect(log(page)).toContainText('03/04/26 14:03:05; boot');
  await openLogs(page, file);
  await expect(banner(page)).toContainText('No times recognised.');
});

test('the terminal leads to logs in files', async ({ page }) => {
  await openTerminal(page);
  await expect(page.getByRole('link', { name: 'Open a log' })).toHaveAttribute('href', logPage);
  const opening = page.waitForEvent('popup');
  await showMore(page);
  await choose(page.getByRole('button', { name: 'Tools', exact: true }), 'Open a log…');
  await expect((await opening).getByRole('heading', { name: 'Open a log' })).toBeVisible();
});

for (const width of [1_440, 390]) {
  test(`opened logs are accessible and fit at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(logPage);
    await expect(page.getByRole('heading', { name: 'Open a log' })).toBeVisible();
    expect(await findings(page, { landmarks: true })).toEqual([]);
    await openLogs(
      page,
      { name: 'a-log-with-a-rather-long-name-of-its-file.log', content: crashLog() },
      { name: 'two.log', content: readings('[14:00:0S.200] ', 'two') },
    );
    await expect(log(page)).toContainText('temp=20.5');
    expect(await findings(page, { landmarks: true })).toEqual([]);
    await expectToFit(page);
  });
}

test('a log of a test on boards shows its verdict above the lines', async ({ page }) => {
  const stamp = '2026-11-20 14:03:05.120  ';
  const content = `${stamp}ttyUSB0  RX  app v1.2\n${stamp}ERROR  Test failed: Smoke, 1 of 2 checks passed\n`;
  await openLogs(page, { name: 'run.txt', content });
  await expect(banner(page)).toContainText('FailedTest failed: Smoke, 1 of 2 checks passed');
  await expect(log(page)).toContainText('app v1.2');
  expect(await findings(page, { landmarks: true })).toEqual([]);
  await expectToFit(page);
});
