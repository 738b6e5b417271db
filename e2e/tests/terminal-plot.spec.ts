/** The live plot with a demo device: its drawing, its visible range, and its exported files. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { menuGone } from './menu-steps.ts';
import { clearLog, held, openTerminal, openTool, saved, startDemo, tryDemo, type } from './terminal-steps.ts';

const curve = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const canvas = (page: Page) => page.getByRole('img', { name: 'Curves of the numbers in the log' }).locator('canvas');
const plotted = (page: Page) => page.getByRole('list', { name: 'Curves' });

/** Waits until the plot is live, so that the next selection is made in the live picture. */
async function waitForLive(page: Page) {
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(plotted(page)).toContainText(/adc2[\d.]+/);
  const values = await plotted(page).innerText();
  await expect(plotted(page)).not.toHaveText(values);
}

/** Returns the picture of the curves; it differs after each redraw. */
const drawn = (page: Page) => canvas(page).evaluate((element: HTMLCanvasElement) => element.toDataURL());

test('numbers become curves as they come, which are paused, moved and zoomed from the keyboard and with the pointer, and left out', async ({
  page,
}) => {
  await startDemo(page);
  await openTool(page, 'Plot');
  await type(page, 'adc 2 100000 10');

  await test.step('numbers become curves as they come, with their newest values', async () => {
    await expect(plotted(page)).toContainText(/adc2[\d.]+/);
    const before = await drawn(page);
    await expect.poll(() => drawn(page)).not.toBe(before);
  });

  await test.step('the plot is paused, moved and zoomed from the keyboard, and goes live again', async () => {
    await expect(curve(page, 'adc2')).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
    // New lines are stored, but not drawn.
    const moreComes = async () => expect(held(page)).not.toHaveText(await held(page).innerText());
    const stays = async () => {
      const before = await drawn(page);
      await moreComes();
      return (await drawn(page)) === before;
    };
    // The last drawing before the pause may still be pending. A live plot never shows the same picture twice.
    await expect.poll(stays).toBe(true);
    const paused = await drawn(page);
    await page.getByRole('button', { name: 'Zoom in' }).press('Enter');
    await expect.poll(() => drawn(page)).not.toBe(paused);
    const zoomed = await drawn(page);
    await page.getByRole('button', { name: 'Earlier' }).press('Enter');
    await expect.poll(() => drawn(page)).not.toBe(zoomed);
    await page.getByRole('button', { name: 'Go live' }).press('Enter');
    await waitForLive(page);
  });

  await test.step('a stretch is chosen with the pointer, and a double click goes live again', async () => {
    const { x, y, width, height } = await boxOf(canvas(page));
    await page.mouse.move(x + width * 0.5, y + height * 0.5);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.8, y + height * 0.5, { steps: 5 });
    await page.mouse.up();
    await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
    await page.mouse.dblclick(x + width * 0.5, y + height * 0.5);
    await waitForLive(page);
    await page.mouse.wheel(0, -200);
    await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
  });

  await test.step('a curve is left out and taken in again', async () => {
    await page.getByRole('button', { name: 'Go live' }).press('Enter');
    await waitForLive(page);
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await expect(curve(page, 'adc2')).toHaveAttribute('aria-pressed', 'true');
    const before = await drawn(page);
    await curve(page, 'adc2').press('Enter');
    await expect(curve(page, 'adc2')).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => drawn(page)).not.toBe(before);
    await curve(page, 'adc2').press('Enter');
    await expect(curve(page, 'adc2')).toHaveAttribute('aria-pressed', 'true');
  });
});

/** Waits for the element's box. On a busy machine the canvas appears after the list of curves. */
async function boxOf(locator: Locator) {
  let box: Awaited<ReturnType<Locator['boundingBox']>> = null;
  await expect
    .poll(async () => {
      box = await locator.boundingBox();
      return box;
    })
    .not.toBeNull();
  return box ?? { x: 0, y: 0, width: 0, height: 0 };
}

test('the plot is saved as a picture, and all its points as CSV', async ({ page }) => {
  await startDemo(page);
  await clearLog(page);
  await openTool(page, 'Plot');
  await type(page, 'adc 2 250 5');
  await expect(page.getByRole('log')).toContainText(/adc2:\d+[\s\S]{0,40}demo>\s*$/);
  await expect(curve(page, 'adc2')).toBeVisible();
  const save = async (what: string) => {
    await page.getByRole('button', { name: 'Save the plot' }).press('Enter');
    const file = await saved(page, page.getByRole('menuitem', { name: what }));
    await menuGone(page);
    return file;
  };
  const rows = async () => (await save('Save as CSV, all points')).bytes.toString().trim().split('\r\n');
  await expect.poll(async () => (await rows()).length).toBe(251);
  expect((await rows())[0]).toBe('time,epoch_ms,adc2');
  const picture = await save('Save as PNG picture');
  expect(picture.name).toMatch(/^wirebench-plot-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.png$/);
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
});

test('ten thousand points of a curve are held, all of them', { tag: '@long' }, async ({ page }) => {
  await openTerminal(page);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
  await tryDemo(page);
  await openTool(page, 'Plot');
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('All');
  // The demo device echoes its input, so it prints all these numbers.
  const numbers = Array.from({ length: 10_000 }, (_, index) => `v:${index}\n`).join('');
  const file = { name: 'numbers.txt', mimeType: 'text/plain', buffer: Buffer.from(numbers) };
  await page.getByLabel('File to send to port 1').setInputFiles(file);
  await page.getByRole('button', { name: 'Send file' }).click();
  await expect(plotted(page)).toContainText(/v9\s?999/, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Save the plot' }).click();
  const { bytes } = await saved(page, page.getByRole('menuitem', { name: 'Save as CSV, all points' }));
  expect(bytes.toString().trim().split('\r\n').length).toBeGreaterThan(10_000);
});
