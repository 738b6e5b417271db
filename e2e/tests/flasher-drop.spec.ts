/**
 * Files and folders dragged from the desktop onto a flasher: at any place of the page they are accepted, and the page
 * stays open.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locator, type Page, test as plain } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { DraggedFiles, type Point } from '../support/drag-files.ts';
import { expect, test } from '../support/test.ts';

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
