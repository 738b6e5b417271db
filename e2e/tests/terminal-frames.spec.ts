/** A port's bytes as frames, with the demo Modbus line: the offer, the rows, an opened frame, Find, and the saved table. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { exported, log, openTerminal } from './terminal-steps.ts';

const frames = (page: Page, state = 'right') => log(page).locator(`[data-frame="${state}"]`);
/** Senders of the shown frames, each once. */
const senders = (page: Page) =>
  log(page)
    .locator('[data-frame]')
    .evaluateAll((rows) => [...new Set(rows.map((row) => row.querySelectorAll('span')[1]?.textContent))]);
const find = (page: Page) => page.getByRole('textbox', { name: 'Find in the console' });

async function connectLine(page: Page): Promise<void> {
  await openTerminal(page);
  await page.getByRole('button', { name: 'Other ways to connect port 1' }).first().click();
  await page.getByRole('menuitem', { name: 'Demo Modbus line' }).click();
}

test('a line of frames is offered as such; a frame opens to its bytes, is found by its fields, and saved as a table', async ({
  page,
}) => {
  await connectLine(page);

  await test.step('the offer leads to rows with who, words and the time since the question', async () => {
    await page.getByRole('button', { name: 'Show frames' }).click();
    await expect(page.getByRole('radio', { name: 'Frames' })).toBeChecked();
    const answer = frames(page).filter({ hasText: 'read 0–3' }).first();
    await expect(answer).toContainText('07');
    await expect(answer).toContainText(/\d ms$/);
    // No demo of a board that could be crashed.
    await expect(page.getByText('This board is a demo.')).toHaveCount(0);
  });

  await test.step('a press opens a frame below its row, and another one closes it', async () => {
    const answer = frames(page).filter({ hasText: 'read 0–3' }).last();
    await answer.getByText('read 0–3').click();
    const detail = log(page).locator('[data-frame-detail]');
    await expect(detail).toBeInViewport();
    await expect(detail.getByRole('row', { name: /^unit / })).toContainText('7');
    await expect(detail).toContainText(/13 bytes, checksum right, [\d.]+ ms after the question/);
    expect(await findings(page)).toEqual([]);
    await detail.getByRole('button', { name: 'Close' }).click();
    await expect(detail).toHaveCount(0);
    await expect(log(page)).toBeFocused();
  });

  await test.step('the keyboard opens a selected frame', async () => {
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Enter');
    await expect(log(page).locator('[data-frame-detail]')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(log(page).locator('[data-frame-detail]')).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('Text and Hex show the same lines as bytes', async () => {
    await page.getByRole('radio', { name: 'Hex', exact: true }).check({ force: true });
    await expect(log(page)).toContainText('07 03 00 00 00 04 44 6F');
    await page.getByRole('radio', { name: 'Frames' }).check({ force: true });
    await expect(frames(page).first()).toBeVisible();
  });

  await test.step('Find takes the names of fields', async () => {
    await find(page).fill('unit:21');
    await page.getByRole('button', { name: 'Show only lines that match' }).click();
    await expect.poll(() => senders(page)).toEqual(['21']);
    await find(page).fill('');
  });

  await test.step('Find leaves the log where it was read', async () => {
    await find(page).fill('unit:99');
    await expect(frames(page)).toHaveCount(0);
    await find(page).fill('');
    await expect(frames(page).first()).toBeVisible();
    await page.getByRole('button', { name: /Jump to newest/ }).click();
  });

  await test.step('a request in words is sent with its checksum, and answered', async () => {
    await page.getByRole('button', { name: /^Send options/ }).click();
    await page.getByRole('radio', { name: 'Frame', exact: true }).check({ force: true });
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).fill('7 read 3 from 1');
    await expect(page.getByRole('status', { name: 'Bytes to be sent' })).toContainText('07 03 00 01 00 03');
    await page.keyboard.press('Enter');
    await expect(frames(page).filter({ hasText: 'read 1–3' }).first()).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  await test.step('a field of an opened frame becomes a curve', async () => {
    await frames(page).filter({ hasText: 'read 1–3' }).first().getByText('read 1–3').click();
    const field = log(page)
      .locator('[data-frame-detail]')
      .getByRole('row', { name: /^holding\.2 / });
    await field.hover();
    await field.getByRole('button', { name: 'Plot holding.2' }).click();
    await expect(page.getByRole('region', { name: 'Plot' })).toContainText('07 holding.2');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('the saved table has a column for each field', async () => {
    const { bytes } = await exported(page, 'CSV');
    const [head = '', ...rows] = bytes.toString('utf8').split('\r\n');
    expect(head).toContain('who,message,state,unit,function');
    expect(rows.some((row) => /,07 03 08( [\dA-F]{2}){10},07,/.test(row))).toBe(true);
  });
});

test('on a phone frames wrap below who sent them, without findings', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await connectLine(page);
  await page.getByRole('button', { name: 'Show frames' }).click();
  await expect(frames(page).filter({ hasText: 'read 0–3' }).first()).toBeVisible();
  await expectToFit(page);
  await frames(page).filter({ hasText: 'read 0–3' }).last().getByText('read 0–3').click();
  await expect(log(page).locator('[data-frame-detail]')).toBeInViewport();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});
