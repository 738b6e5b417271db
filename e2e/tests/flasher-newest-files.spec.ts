/**
 * Files that a build writes again after they were chosen, on the flasher's page: with genuine handles of the browser's
 * own file system, and without handles from the disk.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { noise } from '../../scripts/firmware/esp-firmware.ts';
import { DraggedFiles } from '../support/drag-files.ts';
import { expect, test } from '../support/test.ts';
import { board, connectDemo, plan, result, writeButton } from './flasher-steps.ts';

const list = JSON.stringify({ flash_files: { '0x200000': 'storage.bin' } });

/** Writes a file of the browser's own file system, and answers the dialog for folders with its folder. */
async function build(page: Page, files: Readonly<Record<string, number[]>>): Promise<void> {
  await page.evaluate(async (contents) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('build', { create: true });
    for (const [name, bytes] of Object.entries(contents)) {
      const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await writable.write(Uint8Array.from(bytes));
      await writable.close();
    }
    Object.assign(window, { showDirectoryPicker: async () => folder });
  }, files);
}

const bytes = (content: Buffer | string) => [...Buffer.from(content)];

test('Write takes the newest build of a chosen folder, and asks about none that is gone', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await build(page, { 'flasher_args.json': bytes(list), 'storage.bin': bytes(noise(0x1000)) });
  await connectDemo(page);
  await page.getByRole('button', { name: 'Other ways to add files' }).click();
  await page.getByRole('menuitem', { name: 'Choose a folder' }).click();
  await expect(plan(page)).toContainText('Write 1 file, 4.0 KB');
  await build(page, { 'storage.bin': bytes(noise(0x3000)) });
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(result(page)).toContainText('12.0 KB written');

  const moved = list.replace('0x200000', '0x210000');
  await build(page, { 'flasher_args.json': bytes(moved) });
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(page.getByText('0x210000').first()).toBeVisible();
  await expect(result(page)).toContainText('12.0 KB written');

  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('build');
    await folder.removeEntry('storage.bin');
  });
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(plan(page)).toContainText('storage.bin is not there any more');
  await expect(plan(page)).toContainText('Nothing was written.');
});

test('Write takes the newest build of a dropped folder, and does not say afterwards that it has changed', async ({
  page,
}, info) => {
  const folder = info.outputPath('build');
  await mkdir(folder, { recursive: true });
  const write = (content: Buffer) => writeFile(`${folder}/storage-0x200000.bin`, content);
  await write(noise(0x1000));
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  const title = await page.getByRole('heading', { level: 2 }).first().boundingBox();
  await new DraggedFiles(page, [folder]).dropAt({ x: (title?.x ?? 0) + 5, y: (title?.y ?? 0) + 5 });
  await expect(plan(page)).toContainText('Write 1 file, 4.0 KB');
  await write(noise(0x3000));
  await writeButton(page).click();
  await expect(result(page)).toContainText('12.0 KB written');
  await expect(page.getByText('changed')).toHaveCount(0);
});

test('a file that was chosen without a handle and has changed is named, and never written', async ({ page }, info) => {
  const path = info.outputPath('storage-0x200000.bin');
  await writeFile(path, noise(0x1000));
  await page.goto(staticPages.espFlasher);
  await page.getByLabel('Firmware files').setInputFiles(path);
  await connectDemo(page);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await writeFile(path, noise(0x2000));
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(plan(page)).toContainText('storage-0x200000.bin has changed since you chose it');
  await expect(page.getByText('Nothing to write')).toHaveCount(0);
  await page.getByLabel('Firmware files').setInputFiles(path);
  await page.getByRole('button', { name: 'Write 1 file' }).click();
  await expect(result(page)).toContainText('Written and verified');
});

test('leaving the page with a connected board that waits asks first', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await expect(board(page)).toContainText('Ready');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toEqual(['beforeunload']);
});
