/** Files of MicroPython in the flash of the simulated Pico: looked at, changed, written, and read back. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { unzipped } from '../support/unzipped.ts';
import { chooseFile, plan, result, writeButton } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { connectRpDemo, uf2 } from './rp-flasher-steps.ts';

const files = (page: Page): Locator => page.getByRole('region', { name: 'MicroPython’s files' });
const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Files in MicroPython’s files' });
const file = (page: Page, name: RegExp): Locator => tree(page).getByRole('treeitem', { name });

test('files of MicroPython are edited, added and deleted by keyboard, written with one button, and stay for the next change', async ({
  page,
}) => {
  await page.goto(staticPages.rpFlasher);
  await connectRpDemo(page);
  await page.getByRole('button', { name: 'MicroPython’s files' }).press('Enter');
  await expect(tree(page)).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await file(page, /^main\.py/).press('Enter');
  const editor = page.getByRole('textbox', { name: 'Text of /main.py' });
  const text = `${await editor.inputValue()}# changed here\n`;
  await editor.fill(text);
  await expect(file(page, /^main\.py changed/)).toBeVisible();
  await file(page, /^temperature\.csv/).press('Delete');
  await page
    .getByLabel('Files for MicroPython’s files')
    .setInputFiles({ name: 'added.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(9_000, 7) });
  await expect(file(page, /^added\.bin/)).toBeVisible();
  await expect(plan(page)).toContainText('Write 3 changed files to MicroPython’s files');
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole('button', { name: 'Write 3 changes' }).press('Enter');
  await expect(result(page)).toContainText('3 changed files written');
  await expect(result(page)).toContainText('The board restarted and is talking.');
  const receipt = page.waitForEvent('download');
  await choose(page.getByRole('button', { name: 'More actions' }), 'Save receipt');
  expect(await readFile(await (await receipt).path(), 'utf8')).toMatch(/bytes read back, SHA-256 [\da-f]{64}$/m);
  await expect(files(page)).toContainText('The program may have changed it since; Write compares it first.');

  // The chip has no id: what is planned now is compared with the board that is connected again.
  await editor.fill(`${text}# and again\n`);
  const write = page.getByRole('button', { name: 'Write 1 change' });
  // A press right after the answer has changed is ignored.
  await expect(async () => {
    await write.press('Enter', { timeout: 500 });
    await expect(write).toBeHidden({ timeout: 500 });
  }).toPass();
  await expect(result(page)).toContainText('1 changed file written');
  await page.getByRole('button', { name: 'Connect again' }).first().click();
  await expect(files(page).getByRole('button', { name: 'Read again' })).toBeVisible();
  await files(page).getByRole('button', { name: 'Read again' }).click();
  await expect(files(page).getByRole('button', { name: 'Read again' })).toBeHidden();
  const zip = page.waitForEvent('download');
  await files(page).getByRole('button', { name: 'Save all as zip' }).click();
  const entries = unzipped(await readFile(await (await zip).path()));
  expect(entries.get('main.py')?.toString()).toBe(`${text}# and again\n`);
  expect(entries.get('added.bin')).toEqual(Buffer.alloc(9_000, 7));
  expect(entries.has('data/temperature.csv')).toBe(false);
});

test('files that a write takes are in the downloads before its first byte, and are offered again afterwards', async ({
  page,
}) => {
  await page.goto(staticPages.rpFlasher);
  await connectRpDemo(page);
  // It says nothing of itself, and reaches into the files.
  await chooseFile(page, 'large.uf2', uf2('rp2040', 720_896));
  await expect(plan(page)).toContainText('The files of MicroPython (LittleFS) are saved first, and not put back.');
  const map = page.getByRole('img', {
    name: /the files of MicroPython \(LittleFS\) 0x100B0000 to 0x101FFFFF, not kept/,
  });
  await expect(map).toBeVisible();
  // One button, which saves.
  await expect(page.getByRole('button', { name: 'Save the files first' })).toHaveCount(1);
  expect(await findings(page)).toEqual([]);

  // Name of the answer at the start of the download.
  const regions: string[] = [];
  await page.exposeFunction('noteRegion', (region: string) => regions.push(region));
  await page.evaluate(() => {
    const create = URL.createObjectURL.bind(URL);
    const noteRegion = Reflect.get(window, 'noteRegion') as (region: string) => void;
    URL.createObjectURL = (content: Blob) => {
      noteRegion(document.querySelector('[data-action]')?.getAttribute('aria-label') ?? '');
      return create(content);
    };
  });
  const download = page.waitForEvent('download');
  await writeButton(page).press('Enter');
  const archive = await download;
  expect(regions).toEqual(['Plan']);
  expect(archive.suggestedFilename()).toBe('rp2040-files-at-0x100A0000.zip');
  const entries = unzipped(await readFile(await archive.path()));
  expect([...entries.keys()].filter((name) => !name.endsWith('/')).toSorted()).toEqual([
    'boot.py',
    'data/temperature.csv',
    'lib/blink.py',
    'main.py',
  ]);
  // At the times of real flash.
  await expect(result(page)).toContainText('Written and verified', { timeout: 40_000 });
  const offer = page.getByRole('button', { name: 'Save the files again' });
  await expect(offer).toBeVisible();
  expect(await findings(page)).toEqual([]);
  const again = page.waitForEvent('download');
  await offer.click();
  expect(await readFile(await (await again).path())).toEqual(await readFile(await archive.path()));
});

test('files that cannot be saved stop the write, which a person can do without them', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto(staticPages.rpFlasher);
  await connectRpDemo(page);
  await chooseFile(page, 'large.uf2', uf2('rp2040', 720_896));
  await expect(plan(page)).toContainText('saved first, and not put back');
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error('There is no room for the download.');
    };
  });
  await writeButton(page).press('Enter');
  await expect(plan(page)).toContainText('The files of the board could not be saved');
  await expect(plan(page)).toContainText('There is no room for the download.');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Write without saving' }).click();
  await expect(result(page)).toContainText('Written and verified', { timeout: 40_000 });
  await expect(page.getByText('The files that the board had are in this page only.')).toBeVisible();
});

test('changed files are refused with firmware that is written over them', { tag: '@long' }, async ({ page }) => {
  await page.goto(staticPages.rpFlasher);
  await connectRpDemo(page);
  await page.getByRole('button', { name: 'MicroPython’s files' }).click();
  await file(page, /^temperature\.csv/).press('Delete');
  await expect(plan(page)).toContainText('Write 1 changed file');
  await chooseFile(page, 'large.uf2', uf2('rp2040', 720_896));
  await expect(plan(page)).toContainText('The new firmware is written over "MicroPython’s files"');
  expect(await findings(page)).toEqual([]);
});
