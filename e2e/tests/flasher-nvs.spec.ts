/** Stored settings (NVS) of the simulated ESP32: edited without a mouse, shown on a phone, taken from a dropped CSV. */
import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { countClicks } from '../support/count-clicks.ts';
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

test('three values are changed by four clicks, and written by one press', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  const clicks = await countClicks(page);
  await contents(page).getByRole('button').filter({ hasText: /^nvs/ }).click();
  for (const [name, typed] of [
    ['interval_s: 60. Change', '300'],
    ['name: Bench sensor 7. Change', 'Greenhouse'],
    ['password: hidden. Change', 'battery-staple'],
  ] as const) {
    await value(page, name).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
  }
  expect(await clicks()).toBe(4);
  await writeChanges(page, 3);
});

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

  const again = contents(page).getByRole('button', { name: 'Connect again' });
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

/** Returns the top edge of the row of a key in the document, in pixels. */
const topOf = async (page: Page, key: string): Promise<number> =>
  contents(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(key, { exact: true }) })
    .evaluate((row) => row.getBoundingClientRect().top + scrollY);

for (const [width, height] of [
  [1_440, 900],
  [1_024, 768],
  [390, 844],
] as const) {
  test(`the edited row keeps its place in the plan and after the write, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto(staticPages.espFlasher);
    await connectDemo(page);
    await openSettings(page);
    await value(page, 'interval_s: 60. Change').click();
    const field = contents(page).getByRole('textbox', { name: 'Value of interval_s' });
    const tops = [await topOf(page, 'interval_s')];
    await page.keyboard.type('300');
    const planned = contents(page).getByRole('complementary', { name: 'Plan of the changes' });
    await expect(planned).toContainText('app/interval_s 60 → 300');
    await expect(page.getByRole('button', { name: 'Write 1 change' })).toBeEnabled();
    await expect(page.getByText('Comparing with what is on the board…')).toHaveCount(0);
    tops.push(await topOf(page, 'interval_s'));
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
    await page.keyboard.press('Control+Enter');
    const written = contents(page).getByRole('complementary', { name: 'Written changes' });
    await expect(written).toContainText(/Written\d\d:\d\d:\d\d/);
    await expect(written.getByRole('button', { name: /^Save esp32-.*-nvs-0x9000\.bin$/ })).toBeVisible();
    await expect(page.getByRole('heading', { name: '1 changed key written' })).toBeVisible();
    tops.push(await topOf(page, 'interval_s'));
    expect(tops).toEqual([tops[0], tops[0], tops[0]]);
    await expect(field).toBeFocused();
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);

    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('600');
    await page.keyboard.press('Control+Enter');
    await expect(written).toContainText('app/interval_s 300 → 600');
    await expect(field).toBeFocused();
    tops.push(await topOf(page, 'interval_s'));
    expect(tops.at(-1)).toBe(tops[0]);
  });
}

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
  await contents(page).getByRole('button', { name: 'Connect again' }).click();
  await openSettings(page);
  await expect(value(page, 'interval_s: 300. Change')).toBeVisible();
  await expect(contents(page).getByRole('region', { name: 'Namespace big' })).toContainText('6 keys');
});
