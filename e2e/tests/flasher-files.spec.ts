/** Files in a partition of the simulated ESP32: looked at, changed, written, and read back. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { firstUnlessLong } from '@wirebench/test-input';
import { findings } from '../support/accessibility.ts';
import { DraggedFiles } from '../support/drag-files.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { unzipped } from '../support/unzipped.ts';
import { board, connectDemo, openSettings, result } from './flasher-steps.ts';

const contents = (page: Page): Locator => page.getByRole('region', { name: 'On the board' });
const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Files in storage' });
const file = (page: Page, name: RegExp): Locator => tree(page).getByRole('treeitem', { name });
const given = (name: string, bytes: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer: bytes });

/** Storage of the demo board: 128 KiB of its flash. */
const storage = { offset: 0x11_0000, size: 0x2_0000 };

/** Backs the whole flash up, and returns its bytes. */
async function wholeFlash(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await contents(page).getByRole('button', { name: 'More about what is on the board' }).click();
  await page.getByRole('menuitem', { name: 'Save all 4 MB as .bin' }).click();
  return readFileSync(await (await download).path());
}

/** Files of the partition, by a zip. */
async function zipped(page: Page): Promise<Map<string, Buffer>> {
  const download = page.waitForEvent('download');
  await contents(page).getByRole('button', { name: 'Save all as zip' }).click();
  return unzipped(readFileSync(await (await download).path()));
}

async function openStorage(page: Page): Promise<void> {
  await contents(page)
    .getByRole('button', { name: /^storage/ })
    .press('Enter');
  await expect(tree(page)).toBeVisible();
}

test('files of a board are edited, added, renamed and deleted by keyboard, written with one button and read back; no byte outside of the partition changes', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  // The fastest rate: at the usual one, reading the whole flash twice takes 90 s.
  await openSettings(page);
  await page.getByLabel('Baud', { exact: true }).selectOption('2000000');
  await connectDemo(page);
  const before = await wholeFlash(page);
  await openStorage(page);
  expect(await findings(page)).toEqual([]);

  await file(page, /^settings\.json/).press('Enter');
  const editor = page.getByRole('textbox', { name: 'Text of /settings.json' });
  const text = `${await editor.inputValue()}\n`;
  await editor.fill(text);
  await expect(file(page, /^settings\.json changed/)).toBeVisible();
  await file(page, /^icon\.png/).press('Enter');
  await expect(page.getByRole('img', { name: 'Preview of icon.png' })).toBeVisible();
  await file(page, /^icon\.png/).press('F2');
  await page.getByRole('textbox', { name: 'New path of /icon.png' }).fill('/pictures/logo.png');
  await page.keyboard.press('Enter');
  await expect(file(page, /^logo\.png renamed/)).toBeVisible();
  await file(page, /^boot\.txt/).press('Delete');
  await expect(file(page, /^boot\.txt deleted/)).toBeVisible();
  await file(page, /^index\.html/).press('Enter');
  const added = Buffer.alloc(9_000, 'wirebench ');
  await page.getByLabel('Files for storage').setInputFiles(given('added.bin', added));
  await expect(file(page, /^added\.bin new/)).toBeVisible();
  await expect(page.getByRole('img', { name: /% used, \d+ % to be added/ })).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await page.getByLabel('Files for storage').setInputFiles(given('large.bin', Buffer.alloc(storage.size)));
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was changed.' })).toBeVisible();
  await expect(file(page, /^large\.bin/)).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 1_440, height: 900 });

  await page.getByRole('button', { name: /^Write \d+ changes$/ }).click();
  await expect(result(page)).toContainText('Written and verified');
  await contents(page).getByRole('button', { name: 'Connect again' }).click();
  await expect(board(page)).toContainText('Ready');
  await openStorage(page);
  const files = await zipped(page);
  expect(files.get('settings.json')?.toString()).toBe(text);
  expect(Buffer.compare(files.get('added.bin') ?? Buffer.alloc(0), added)).toBe(0);
  expect([...files.keys()]).toContain('pictures/logo.png');
  expect([...files.keys()]).not.toContain('log/boot.txt');
  const after = await wholeFlash(page);
  const outside = (flash: Buffer) => [flash.subarray(0, storage.offset), flash.subarray(storage.offset + storage.size)];
  for (const [index, part] of outside(after).entries()) {
    expect(Buffer.compare(part, outside(before)[index] ?? Buffer.alloc(0))).toBe(0);
  }
});

for (const [width, height] of firstUnlessLong([
  [390, 844],
  [1_440, 900],
  [1_024, 768],
])) {
  test(`the edited file keeps its place and the focus in the plan and after the write, ${width} px wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(staticPages.espFlasher);
    await connectDemo(page);
    await openStorage(page);
    await file(page, /^settings\.json/).press('Enter');
    const editor = page.getByRole('textbox', { name: 'Text of /settings.json' });
    await editor.click();
    const top = () => editor.evaluate((field) => field.getBoundingClientRect().top + scrollY);
    const tops = [await top()];
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('  ');
    await expect(file(page, /^settings\.json changed/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Write 1 change' })).toBeEnabled();
    await expect(page.getByText('Comparing with what is on the board…')).toHaveCount(0);
    tops.push(await top());
    await page.keyboard.press('Control+Enter');
    await expect(contents(page).getByRole('complementary', { name: 'Written changes' })).toContainText(
      '/settings.json changed',
    );
    await expect(page.getByRole('heading', { name: '1 changed file written' })).toBeVisible();
    await expect(file(page, /^settings\.json changed/)).toHaveCount(0);
    tops.push(await top());
    expect(tops).toEqual([tops[0], tops[0], tops[0]]);
    await expect(editor).toBeFocused();
    await page.keyboard.type('again');
    await expect(file(page, /^settings\.json changed/)).toBeVisible();
    await expectToFit(page);
    await page.evaluate(() => scrollTo(0, 0));
    expect(await findings(page)).toEqual([]);
  });
}

test('files and folders that are dropped on the view are planned in it, and the list of files to flash stays empty', async ({
  page,
}, testInfo) => {
  const folder = testInfo.outputPath('www');
  mkdirSync(join(folder, 'css'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<h1>Greenhouse</h1>');
  writeFileSync(join(folder, 'css', 'site.css'), 'h1 { color: green }');
  writeFileSync(join(folder, '.DS_Store'), 'of the system');
  const single = testInfo.outputPath('Größe.txt');
  writeFileSync(single, '12 mm');
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await openStorage(page);
  await tree(page).scrollIntoViewIfNeeded();
  const box = await tree(page).boundingBox();
  const point = { x: (box?.x ?? 0) + 40, y: (box?.y ?? 0) + 10 };
  const dragged = new DraggedFiles(page, [folder, single]);
  await dragged.over(point);
  await dragged.dropAt(point);
  await expect(file(page, /^Größe\.txt new/)).toBeVisible();
  await expect(file(page, /^index\.html new/)).toBeVisible();
  await expect(file(page, /^site\.css new/)).toBeVisible();
  await expect(file(page, /DS_Store/)).toHaveCount(0);
  await expect(page.getByRole('row', { name: /index\.html.*Remove/ })).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: /^Write \d+ changes$/ }).click();
  await expect(result(page)).toContainText('Written and verified');
  await contents(page).getByRole('button', { name: 'Connect again' }).click();
  await expect(board(page)).toContainText('Ready');
  await openStorage(page);
  const files = await zipped(page);
  expect(files.get('www/css/site.css')?.toString()).toBe('h1 { color: green }');
  expect(files.get('Größe.txt')?.toString()).toBe('12 mm');
});

test('a partition is formatted as FAT with the plan, and holds a file of a new folder afterwards', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await openStorage(page);
  await page.getByRole('button', { name: 'More about the files in storage' }).click();
  await page.getByRole('menuitem', { name: 'Format as FAT' }).click();
  await expect(contents(page)).toContainText('Everything in this partition is removed with the next write.');
  await contents(page).getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Path of the new folder' }).fill('/data');
  await page.keyboard.press('Enter');
  await expect(file(page, /^data new/)).toBeVisible();
  await page.getByLabel('Files for storage').setInputFiles(given('a long name.txt', Buffer.from('hello')));
  await expect(file(page, /^a long name\.txt new/)).toBeVisible();
  await page.getByRole('button', { name: /^Write \d+ changes$/ }).click();
  await expect(result(page)).toContainText('Written and verified');
  await contents(page).getByRole('button', { name: 'Connect again' }).click();
  await expect(board(page)).toContainText('Ready');
  await openStorage(page);
  await expect(contents(page)).toContainText('FAT12 with wear levelling');
  const files = await zipped(page);
  expect(files.get('data/a long name.txt')?.toString()).toBe('hello');
});
