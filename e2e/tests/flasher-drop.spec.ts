/**
 * Files and folders dragged from the desktop onto a flasher: at any place of the page they are accepted, and the page
 * stays open.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locator, type Page, test as plain } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { DraggedFiles, type Point } from '../support/drag-files.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { sketch } from './avr-flasher-steps.ts';

const zone = (page: Page): Locator => page.getByText(/Drop .*here/).locator('..');

async function middleOf(place: Locator): Promise<Point> {
  const box = await place.boundingBox();
  if (box === null) {
    throw new Error('What files are dropped on is not shown.');
  }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Creates a folder like a build's output. */
function buildFolder(): string {
  const folder = plain.info().outputPath('build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'storage.bin'), Buffer.alloc(0x2000, 0x5a));
  writeFileSync(join(folder, 'notes.txt'), 'nothing to write');
  return folder;
}

test('the drop zone stays lit while files are moved over what is in it, and goes dark when they are released; beside it they are taken too, and the flasher stays', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  const files = new DraggedFiles(page, [buildFolder()]);
  await expect(zone(page)).toBeVisible();
  // Records each change of the highlight.
  await zone(page).evaluate((element) => {
    const changes: string[] = [];
    new MutationObserver(() => changes.push(element.className)).observe(element, { attributeFilter: ['class'] });
    Object.assign(window, { changes });
  });
  const inside = zone(page).getByRole('button', { name: 'Choose files' });
  await files.over(await middleOf(zone(page)), await middleOf(inside), await middleOf(zone(page)));
  await expect(zone(page)).toHaveClass(/over/);
  expect(await page.evaluate(() => Reflect.get(window, 'changes') as string[])).toHaveLength(1);
  await files.dropAt(await middleOf(inside));
  await expect(page.getByRole('row', { name: /storage\.bin/ })).toBeVisible();

  const row = page.getByRole('row', { name: /storage\.bin/ });
  await page.getByRole('button', { name: 'Remove storage.bin' }).click();
  await expect(row).toHaveCount(0);
  await expect(zone(page)).not.toHaveClass(/over/);
  const address = page.url();
  await files.dropAt(await middleOf(page.getByRole('heading', { level: 1 }).first()));
  await expect(row).toBeVisible();
  expect(page.url()).toBe(address);
});

/** Creates a folder with a sketch, as the Arduino IDE writes it. */
function sketchFolder(): string {
  const folder = plain.info().outputPath('sketch');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'Blink.ino.hex'), sketch(2_000));
  return folder;
}

const arrival = 'Blink.ino.hex is for Arduino, so this is now the Arduino flasher.';

test('a folder of a sketch that is dropped on the Espressif page opens the Arduino flasher in the same document, and is read again before the write', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  await page.evaluate(() => Object.assign(window, { isMarked: true }));
  const folder = sketchFolder();
  await new DraggedFiles(page, [folder]).dropAt(await middleOf(zone(page)));
  await expect(page.getByText(arrival)).toBeVisible();
  await expect(page).toHaveURL(/\/avr_flasher\.html$/);
  const row = page.getByRole('row', { name: /Blink\.ino\.hex/ });
  await expect(row).toContainText('2.0 KB');
  await page.getByRole('button', { name: 'Try the Demo Uno' }).click();
  await expect(page.getByRole('button', { name: 'Write 1 file' })).toBeVisible();
  writeFileSync(join(folder, 'Blink.ino.hex'), sketch(4_000));
  await page.getByRole('button', { name: 'Write 1 file' }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('3.8 KB written');
  await expect(page.getByText(arrival)).toHaveCount(0);
  expect(await page.evaluate(() => 'isMarked' in window)).toBe(true);
});

for (const way of ['the link', 'Back'] as const) {
  test(`${way} undoes the change of the flasher, and the page asks from then on`, async ({ page }) => {
    await page.goto(staticPages.espFlasher);
    await new DraggedFiles(page, [sketchFolder()]).dropAt(await middleOf(zone(page)));
    await expect(page.getByText(arrival)).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await (way === 'Back' ? page.goBack() : page.getByRole('link', { name: 'Stay with Espressif' }).click());
    await expect(page).toHaveURL(/\/esp_flasher\.html$/);
    await expect(page.getByText('Blink.ino.hex belongs in the Arduino flasher.')).toBeVisible();
    await page.getByRole('link', { name: 'Open the Arduino flasher' }).click();
    await expect(page).toHaveURL(/\/avr_flasher\.html$/);
    await expect(page.getByRole('row', { name: /Blink\.ino\.hex/ })).toHaveCount(1);
    await expect(page.getByText(arrival)).toHaveCount(0);
  });
}

test('a sketch that is dropped beside a connected board of another family asks first', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
  await expect(page.getByRole('region', { name: 'Board', exact: true })).toContainText('Ready');
  await new DraggedFiles(page, [sketchFolder()]).dropAt({ x: 400, y: 400 });
  await expect(page.getByText('Blink.ino.hex belongs in the Arduino flasher.')).toBeVisible();
  await expect(page).toHaveURL(/\/esp_flasher\.html$/);
  await expect(page.getByRole('region', { name: 'Board', exact: true })).toContainText('Ready');
});
