/** Files of MicroPython in the flash of the simulated Pico: looked at, changed, written, and read back. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { unzipped } from '../support/unzipped.ts';
import { chooseFile, plan, result } from './flasher-steps.ts';
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
