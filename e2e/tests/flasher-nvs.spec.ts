/** Stored settings (NVS) of the simulated ESP32: edited without a mouse, shown on a phone, taken from a dropped CSV. */
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { DraggedFiles } from '../support/drag-files.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { connectDemo } from './flasher-steps.ts';

const contents = (page: Page) => page.getByRole('region', { name: 'On the board' });
const value = (page: Page, name: string) => contents(page).getByRole('button', { name, exact: true });
const verified = (page: Page) => page.getByText('Written and verified').first();

async function openSettings(page: Page): Promise<void> {
  await contents(page).getByRole('button').filter({ hasText: /^nvs/ }).press('Enter');
  await expect(value(page, 'name: Bench sensor 7. Change')).toBeVisible();
}

/** Writes the planned changes. A press right after the plan has changed does nothing, so it is repeated. */
async function writeChanges(page: Page, count: number): Promise<void> {
  const write = page.getByRole('button', { name: `Write ${count} changes` });
  await expect(write).toBeEnabled();
  await expect(async () => {
    if ((await write.count()) > 0) {
      await write.press('Enter');
    }
    await expect(verified(page)).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

/** Returns all that the page holds as text, with the texts of its fields. */
const everything = (page: Page) =>
  page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...Array.from(document.querySelectorAll('input, textarea'), (field) => (field as HTMLInputElement).value),
    ].join('\n'),
  );

test('keys are changed, added and deleted without a mouse, written and read back, and no password is shown', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await openSettings(page);
  await value(page, 'interval_s: 60. Change').press('Enter');
  await page.keyboard.type('70000');
  await expect(contents(page)).toContainText('u16 takes whole numbers from 0 to 65535, also as 0x….');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('300');
  await page.keyboard.press('Enter');
  await expect(value(page, 'interval_s: 300. Change')).toBeFocused();
  await expect(contents(page)).toContainText('was 60');
  await value(page, 'password: hidden. Change').press('Enter');
  await page.keyboard.type('battery-staple');
  await page.keyboard.press('Enter');
  await value(page, 'Delete led').press('Enter');
  await expect(value(page, 'Undo the change of led')).toBeVisible();
  await value(page, 'Add a key').press('Enter');
  await expect(page.getByRole('textbox', { name: 'Key' })).toBeFocused();
  await page.keyboard.type('place');
  await page.getByRole('textbox', { name: 'Value' }).focus();
  await page.keyboard.type('Greenhouse');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add to the plan' }).press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText(/app\/interval_s 60 → 300/)).toBeVisible();
  await writeChanges(page, 4);
  const text = await everything(page);
  expect(text).not.toContain('battery-staple');
  expect(text).not.toContain('lathe-and-mill');

  const again = contents(page).getByRole('button', { name: 'Connect and look again' });
  // A press does not wait by itself until the board has restarted.
  await expect(again).toBeEnabled();
  await again.press('Enter');
  await openSettings(page);
  await expect(value(page, 'interval_s: 300. Change')).toBeVisible();
  await expect(value(page, 'place: Greenhouse. Change')).toBeVisible();
  await expect(value(page, 'Delete led')).toHaveCount(0);
  await expect(contents(page)).toContainText(/2 keys changed, 1 added, 1 removed since \d\d:\d\d/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
  await value(page, 'Show password').press('Enter');
  await expect(value(page, 'password: battery-staple. Change')).toBeVisible();
});

test('keys of a CSV that is dropped on the list are taken over, and lines that cannot be read are named', async ({
  page,
}, testInfo) => {
  const rows = [
    'key,type,encoding,value',
    'app,namespace,,',
    'interval_s,data,u16,300',
    'level,data,u8,256',
    'big,namespace,,',
  ];
  for (let index = 0; index < 6; index++) {
    rows.push(`k${index},data,hex2bin,${String(index).repeat(2_000)}`);
  }
  const csv = testInfo.outputPath('settings.csv');
  writeFileSync(csv, `${rows.join('\n')}\n`);
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await openSettings(page);
  await contents(page).scrollIntoViewIfNeeded();
  const box = await value(page, 'name: Bench sensor 7. Change').boundingBox();
  await new DraggedFiles(page, [csv]).dropAt({ x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 });
  const dialog = page.getByRole('dialog', { name: 'settings.csv' });
  await expect(dialog).toContainText('Line 4: level: The number does not fit into its type.');
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Take 7 keys over' }).click();
  await writeChanges(page, 7);
  await contents(page).getByRole('button', { name: 'Connect and look again' }).click();
  await openSettings(page);
  await expect(value(page, 'interval_s: 300. Change')).toBeVisible();
  await expect(contents(page).getByRole('region', { name: 'Namespace big' })).toContainText('6 keys');
});
