/** Contents of the demo board: the list, bytes, planned erases, the other app slot, the table, one file, backup sets. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { board, connectDemo, plan, result } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';

/** Partition table of the demo board, with another partition in place of `storage`. */
const table = `# Name, Type, SubType, Offset, Size, Flags
nvs,      data, nvs,      0x9000,   16K
otadata,  data, ota,      ,         8K
phy_init, data, phy,      ,         4K
ota_0,    app,  ota_0,    ,         1M
coredump, data, coredump, 0x130000, 64K
ota_1,    app,  ota_1,    0x140000, 1M
more,     data, fat,      ,         64K
`;

const contents = (page: Page): Locator => page.getByRole('region', { name: 'On the board' });
const row = (page: Page, name: string | RegExp): Locator =>
  contents(page)
    .getByRole('group', { name: 'Partitions' })
    .getByRole('button', { name: typeof name === 'string' ? new RegExp(`^${name}`) : name });
const more = (page: Page, name: string): Locator => contents(page).getByRole('button', { name: `More about ${name}` });
const boardMenu = (page: Page): Locator => more(page, 'what is on the board');

/** Writes the plan, and connects the board again. */
async function writeAndLook(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Write \d+ changes?|Erase \w+)$/ }).click();
  await expect(result(page)).toContainText(/Written and verified|Erased and checked/);
  await contents(page).getByRole('button', { name: 'Connect again' }).click();
  await expect(board(page)).toContainText('Ready');
}

/** Saves the next download, and returns its name and content. */
async function downloaded(page: Page, act: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const content = await readFile(await download.path());
  return { name: download.suggestedFilename(), content };
}

test.beforeEach(async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
});

test('partitions are listed, read, backed up, and erased as a part of the plan', async ({ page }) => {
  await expect(contents(page)).toContainText('from ota_0');
  await expect(row(page, 'bootloader')).toBeVisible();
  await expect(row(page, 'partition table')).toContainText('partitions');
  await row(page, 'phy_init').click();
  const bytes = contents(page).getByRole('region', { name: 'Bytes of phy_init' });
  await expect(bytes).toContainText('0xF000');
  await bytes.press('End');
  await expect(bytes).toContainText('0xFFF0');
  const saved = await downloaded(page, () =>
    contents(page).getByRole('button', { name: 'Back up', exact: true }).click(),
  );
  expect(saved.name).toMatch(/-phy_init-0xF000\.bin$/);
  expect(saved.content.length).toBe(0x1000);
  await page.evaluate(() => scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);

  await contents(page)
    .getByLabel('Backup of phy_init')
    .setInputFiles({ name: 'phy.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0x1000, 0x5a) });
  await expect(row(page, 'phy_init')).toContainText('Restore phy_init, not written yet');
  await writeAndLook(page);
  await row(page, 'phy_init').click();
  await expect(bytes).toContainText('5A 5A');
  await choose(more(page, 'phy_init'), 'Erase phy_init');
  await expect(row(page, 'phy_init')).toContainText('not written yet');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await contents(page).getByRole('combobox', { name: 'Partition' }).selectOption('All partitions');
  await expect(row(page, 'phy_init')).toBeVisible();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.getByRole('button', { name: 'Undo phy_init' }).click();
  await expect(row(page, 'phy_init')).not.toContainText('not written yet');
  await row(page, 'phy_init').click();
  await choose(more(page, 'phy_init'), 'Erase phy_init');
  await writeAndLook(page);
  await expect(row(page, 'phy_init')).toContainText('Empty');
});

test('the partition table is edited, and the other slot is started only if it holds an app', async ({ page }) => {
  await row(page, 'partition table').click();
  await contents(page)
    .getByLabel('Partition table as CSV')
    .setInputFiles({ name: 'partitions.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await expect(contents(page)).toContainText('storage: no program finds its data any more.');
  const size = contents(page).getByRole('textbox', { name: 'Size of more' });
  await size.fill('16M');
  await expect(contents(page)).toContainText('beyond the end of the flash');
  await size.fill('64K');
  const csv = await downloaded(page, () => contents(page).getByRole('button', { name: 'Save as CSV' }).click());
  expect(csv.content.toString()).toContain('ota_1,app,ota_1,0x140000,1M,');
  await page.evaluate(() => scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await writeAndLook(page);

  await row(page, 'ota_1').click();
  await contents(page).getByRole('button', { name: 'Check the image' }).click();
  await expect(contents(page)).toContainText('Checksum and SHA-256 match');
  await row(page, 'otadata').click();
  const first = contents(page).getByRole('region', { name: 'ota_0' });
  const second = contents(page).getByRole('region', { name: 'ota_1' });
  await expect(first).toContainText('Starts now');
  await second.getByRole('button', { name: 'Start the other slot' }).click();
  await expect(second).toContainText('Will start');
  await expect(plan(page)).toContainText('Start ota_1');
  await expect(contents(page).getByRole('complementary', { name: 'Plan of the changes' })).toContainText(
    'starts ota_0 → ota_1',
  );
  await page.evaluate(() => scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);
  await writeAndLook(page);
  await expect(row(page, 'otadata')).toContainText('Starts ota_1');

  await row(page, 'ota_0').click();
  await choose(more(page, 'ota_0'), 'Erase ota_0');
  await writeAndLook(page);
  await row(page, 'otadata').click();
  await first.getByRole('button', { name: 'Start the other slot' }).click();
  await expect(contents(page).getByRole('alert')).toContainText('ota_0 holds no app.');
});

test('a plan is saved as one file, and partitions as a backup set that goes back', async ({ page }) => {
  await row(page, 'phy_init').click();
  await contents(page)
    .getByLabel('Backup of phy_init')
    .setInputFiles({ name: 'phy.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(0x1000, 0x5a) });
  await expect(page.getByRole('button', { name: 'Write 1 change' })).toBeEnabled();
  await choose(boardMenu(page), 'Save as one file…');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('erases nvs');
  await dialog.getByText('.hex', { exact: true }).click();
  await expect(dialog).not.toContainText('erases nvs');
  const hex = await downloaded(page, () => dialog.getByRole('button', { name: 'Save', exact: true }).click());
  expect(hex.name).toMatch(/\.hex$/);
  expect(hex.content.toString().split('\n')[0]).toBe(':10F000005A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A60');
  await writeAndLook(page);

  await choose(boardMenu(page), 'Back up partitions…');
  for (const name of ['bootloader', 'partition table', 'otadata', 'ota_0', 'storage', 'ota_1']) {
    await dialog.getByRole('checkbox', { name: new RegExp(`^${name}`) }).uncheck();
  }
  const zip = await downloaded(page, () => dialog.getByRole('button', { name: /^Back up/ }).click());
  expect(zip.name).toMatch(/-backup-.*\.zip$/);

  await choose(boardMenu(page), 'Restore a backup…');
  const give = (buffer: Buffer) =>
    dialog.getByLabel('Backup', { exact: true }).setInputFiles({ name: zip.name, mimeType: 'application/zip', buffer });
  const damaged = Buffer.from(zip.content);
  const at = damaged.indexOf(Buffer.alloc(64, 0x5a));
  damaged[at + 3] = 0;
  await give(damaged);
  await expect(dialog.getByRole('alert')).toContainText('damaged');
  await give(zip.content);
  await expect(dialog).toContainText('Of this board');
  await expect(dialog).toContainText('All hashes match');
  await dialog.getByRole('button', { name: 'Add to the plan' }).click();
  await expect(row(page, 'phy_init')).toContainText('Restore phy_init, not written yet');
});
