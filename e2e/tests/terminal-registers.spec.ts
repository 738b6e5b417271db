/**
 * The registers of a Modbus line: names, byte orders, curves and polling, with the mouse and with the keyboard. The log follows
 * each step, and keeps its width.
 */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { log, openTerminal } from './terminal-steps.ts';

const tool = (page: Page) => page.getByRole('region', { name: 'Registers and bytes', exact: true });
const frames = (page: Page) => log(page).locator('[data-frame="right"]');
const row = (page: Page, key: string) => tool(page).locator(`[data-row="${key}"]`);
const cell = (page: Page, key: string, column: string) => row(page, key).locator(`[data-column="${column}"]`);

/** Connects the demo line, with its frames. */
async function openLine(page: Page): Promise<void> {
  await openTerminal(page);
  await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
  await page.getByRole('button', { name: 'Show frames' }).click();
  await expect(frames(page).filter({ hasText: 'read input 0–3' }).first()).toBeVisible();
}

test('a register gets name, type, word order and curve with eight presses, and the log keeps its width', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openLine(page);

  await test.step('the table has what answers had, and the log stays beside it', async () => {
    await choose(page.getByRole('button', { name: 'Tools' }), 'Registers and bytes');
    await expect(cell(page, '21 input 2', 'value')).toHaveText(/^5\d\u2009\d{3}$/);
    await expect(cell(page, '7 holding 3', 'value')).toHaveText('3');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('a name keeps its spaces, and the right order is seen and pressed', async () => {
    await cell(page, '21 input 0', 'name').click();
    await page.keyboard.type('Total flow');
    await page.keyboard.press('Enter');
    await row(page, '21 input 0').getByRole('combobox').selectOption('f32');
    const orders = tool(page).getByRole('radiogroup', { name: 'Order of bytes' });
    await expect(orders.getByRole('radio')).toHaveCount(12);
    await orders.getByRole('radio', { name: /^Registers 0 to 1, order CDAB: (39|4\d)/ }).click();
    await expect(
      frames(page)
        .filter({ hasText: /Total flow (39|4\d)\.\d+/ })
        .last(),
    ).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  await test.step('a press plots that register alone', async () => {
    await row(page, '21 input 0').getByRole('button', { name: 'Plot register 0–1' }).click();
    await page.getByRole('tab', { name: /^Plot/ }).click();
    const plot = page.getByRole('region', { name: 'Plot', exact: true });
    await expect(plot).toContainText('21 Total flow');
    await expect(plot).not.toContainText('07 holding.0');
    await page.getByRole('tab', { name: 'Frames' }).click();
  });

  await test.step('bytes of an opened frame lead to their row, which lights them', async () => {
    await frames(page).filter({ hasText: 'Total flow' }).last().getByText('Total flow').click();
    const boxes = log(page).locator('[data-frame-bytes] [data-from]');
    await expect(boxes.filter({ hasText: 'Total flow' })).toHaveAttribute('data-lit', '');
    await expect(async () => {
      // The code that acts on bytes is loaded with the first opened frame.
      await boxes.filter({ hasText: 'input.2' }).click();
      await expect(cell(page, '21 input 2', 'name')).toBeFocused({ timeout: 2_000 });
    }).toPass();
    await expect(boxes.filter({ hasText: 'input.2' })).toHaveAttribute('data-lit', '');
    await expect(log(page).locator('th[data-column="plot"]')).toBeInViewport();
  });

  await test.step('the names are saved as the decoder of the port', async () => {
    await tool(page).getByRole('button', { name: 'Save 1 name' }).click();
    await expect(tool(page).getByRole('button', { name: 'Saved' })).toBeVisible();
    await expect(tool(page).locator('[data-row]').first()).toBeVisible();
  });
});

test('polling rests while another master asks, and asks anyway when told so', async ({ page }) => {
  await openLine(page);
  await choose(page.getByRole('button', { name: 'Tools' }), 'Registers and bytes');
  await expect(cell(page, '7 holding 0', 'value')).toHaveText(/\d/);
  await tool(page).getByRole('switch', { name: 'Poll every' }).check({ force: true });
  await expect(tool(page)).toContainText('Two that ask disturb each other, so polling rests.');
  await expect(frames(page).filter({ hasText: /poll$/ })).toHaveCount(0);
  await choose(tool(page).getByRole('button', { name: /^More about unit 7/ }), 'Ask anyway');
  await expect(tool(page)).toContainText(/\d requests each time, \d+ ms of the line\. Nothing is written\./);
  await expect(
    frames(page)
      .filter({ hasText: /read 4 from 0.*poll$/ })
      .last(),
  ).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await tool(page).getByRole('switch', { name: 'Poll every' }).uncheck({ force: true });
});

test('a register gets its name and order with the keyboard', async ({ page }) => {
  await openLine(page);
  await choose(page.getByRole('button', { name: 'Tools' }), 'Registers and bytes');
  await cell(page, '21 input 0', 'name').focus();
  await page.keyboard.press('Enter');
  await expect(tool(page).getByRole('textbox', { name: 'Name of register 0' })).toBeFocused();
  await page.keyboard.type('flow');
  await page.keyboard.press('Enter');
  await expect(cell(page, '21 input 0', 'name')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, '21 input 0').getByRole('combobox')).toBeFocused();
  await page.keyboard.press('f');
  await expect(row(page, '21 input 0').getByRole('combobox')).toHaveValue('f32');
  await page.keyboard.press('Tab');
  await expect(tool(page).getByRole('radio', { name: /^Registers 0 to 1, order ABCD/ })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(tool(page).getByRole('radio', { name: /^Registers 0 to 1, order CDAB/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(row(page, '21 input 0').getByRole('combobox')).toBeFocused();
  await expect(
    frames(page)
      .filter({ hasText: /flow \d+\.\d+/ })
      .last(),
  ).toBeVisible();
});

test('on a phone the table fits, without findings', async ({ page }) => {
  await openLine(page);
  await choose(page.getByRole('button', { name: 'Tools' }), 'Registers and bytes');
  await expect(cell(page, '21 input 0', 'value')).toHaveText(/\d/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect((await row(page, '7 holding 1').boundingBox())?.height).toBeGreaterThanOrEqual(42);
  await cell(page, '21 input 0', 'read').click();
  await row(page, '21 input 0').getByRole('combobox').selectOption('f32');
  await expect(tool(page).getByRole('textbox', { name: 'Unit', exact: true })).toBeVisible();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});
