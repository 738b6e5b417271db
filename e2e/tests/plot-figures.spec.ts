/** Own ranges of value axes, figures of what is shown, steps, and the search among many curves. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { openScripted, type ScriptedPort } from './scripted-port.ts';
import { openTool } from './terminal-steps.ts';

const figures = (page: Page) => page.getByRole('region', { name: 'Figures of what is shown' });
const row = (page: Page, name: string) => figures(page).getByRole('row', { name: new RegExp(`^${name}\\b`) });
const lanes = (page: Page) => page.getByRole('list', { name: 'Curves', exact: true }).getByRole('listitem');
const form = (page: Page) => page.getByRole('group', { name: 'Range of volt' });
const canvas = (page: Page) => page.getByRole('img', { name: 'Curves of the numbers in the log' }).locator('canvas');

/** A line every 100 ms by the clock of the board: 40.5, 20.5, 60.5 and 80.5 V in turns, and a fan that is on in every second one. */
async function sayVolts(board: ScriptedPort): Promise<void> {
  const volts = [4, 2, 6, 8];
  const text = Array.from({ length: 40 }, (_, index) => {
    const at = 1_000 + 100 * index;
    return `>volt:${at}:${volts[index % 4]}0.5§V\n>fan:${at}:${index % 2}\n`;
  });
  await board.say(text.join(''));
}

async function openVolts(page: Page): Promise<ScriptedPort> {
  await page.goto('/app/uart');
  const board = await openScripted(page, 1);
  await openTool(page, 'Plot');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  await sayVolts(board);
  await expect(lanes(page)).toHaveCount(2);
  return board;
}

test('figures below the time axis are those of the shown points, lead to their lines, and follow every move', async ({
  page,
}) => {
  await openVolts(page);

  await test.step('numbers have min, mean, max, deviation and points, on and off a share of the time', async () => {
    // The squares of the distances from the mean 50.5 sum up to 20,000, and 20,000 ÷ 39 is 22.6².
    await expect(row(page, 'volt')).toContainText(/volt\s*20\.5\s*50\.50\s*80\.5\s*22\.6\s*40/);
    // From 1 s to 4.9 s: on for 19 of 39 tenths of a second, with a change at each of the 39 later lines.
    await expect(row(page, 'fan')).toContainText(/1 for 49 % of the time, 39 changes\s*40/);
  });

  await test.step('more has RMS, peak to peak and frequency', async () => {
    await figures(page).getByRole('button', { name: 'More' }).press('Enter');
    // √(50.5² + 500) = 55.2291; a period of four lines of 100 ms.
    await expect(figures(page)).toContainText('RMS 55.2291 V, peak to peak 60 V, 2.5 Hz.');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('a press on the lowest value goes to its line', async () => {
    await figures(page).getByRole('button', { name: '20.5, lowest of volt: show it' }).press('Enter');
    await expect(page.getByRole('log').locator('[data-flag="A"]')).toContainText('>volt:1100:20.5');
  });

  await test.step('arrow keys move within the figures, which are one stop of the Tab key', async () => {
    await page.keyboard.press('ArrowRight');
    await expect(figures(page).getByRole('button', { name: '80.5, highest of volt: show it' })).toBeFocused();
    await page.keyboard.press('Home');
    await expect(figures(page).getByRole('button', { name: 'More' })).toBeFocused();
  });

  await test.step('they follow a move, and zooming in keeps the cursor in its place', async () => {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect(row(page, 'volt')).not.toContainText(/40$/);
    await expect(page.getByRole('region', { name: 'Values at the cursors' })).toBeVisible();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    // The cursor at 1.1 s stays within an eighth of a second.
    await expect(row(page, 'volt')).toContainText(/^volt\s*20\.5/);
  });
});

test('a lane has a range of its own by its form, by keys and by the wheel, says so, and a double click takes it back', async ({
  page,
}) => {
  await openVolts(page);
  const lane = lanes(page).filter({ hasText: 'volt' });
  const open = page.getByRole('button', { name: 'Range of volt' });

  await test.step('the form stands above the lanes and covers none of them', async () => {
    await open.press('Enter');
    await form(page).getByRole('radio', { name: 'Own' }).check();
    const [above, below] = [await form(page).boundingBox(), await canvas(page).boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    await form(page).getByRole('textbox', { name: 'From' }).fill('20');
    await form(page).getByRole('textbox', { name: 'To' }).fill('0');
    await page.keyboard.press('Enter');
    await expect(form(page)).toContainText('Enter a lower number first, then a higher one.');
    await form(page).getByRole('textbox', { name: 'From' }).fill('-20');
    await page.keyboard.press('Enter');
    await expect(form(page)).not.toContainText('Enter a lower');
    await expect(lane).toContainText('own range');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('fit takes what is shown, and growing says so', async () => {
    await form(page).getByRole('button', { name: 'Fit what is shown' }).click();
    await expect(form(page).getByRole('textbox', { name: 'From' })).toHaveValue('20.5');
    await expect(form(page).getByRole('textbox', { name: 'To' })).toHaveValue('80.5');
    await form(page).getByRole('radio', { name: 'Grows' }).check();
    await expect(lane).toContainText('grows');
    await form(page).getByRole('radio', { name: 'Auto' }).check();
    await expect(lane).not.toContainText('grows');
    await form(page).getByRole('button', { name: 'Done' }).click();
    await expect(form(page)).toHaveCount(0);
    await expect(open).toBeFocused();
  });

  await test.step('arrow keys on the button and the wheel with Ctrl zoom the values, not the time', async () => {
    await page.keyboard.press('ArrowUp');
    await expect(lane).toContainText('own range');
    const box = (await canvas(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 4 };
    await page.mouse.dblclick(at.x, at.y);
    await expect(lane).not.toContainText('own range');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await expect(lane).toContainText('own range');
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  });

  await test.step('on a phone the form takes the place of the log', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('log')).toBeVisible();
    await open.click();
    await expect(page.getByRole('log')).toBeHidden();
    await expect(form(page)).toBeVisible();
    await expectToFit(page);
    expect(await findings(page)).toEqual([]);
    await form(page).getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('log')).toBeVisible();
  });
});

test('a search among many curves finds names and units, with their newest values', async ({ page }) => {
  await page.goto('/app/uart');
  const board = await openScripted(page, 1);
  await openTool(page, 'Plot');
  const line = Array.from(
    { length: 42 },
    (_, index) => `cell_${index}: ${3.5 + index / 100} ${index < 40 ? 'V' : 'A'}`,
  );
  await board.say(...Array.from({ length: 8 }, () => `${line.join(', ')}\n`));
  const button = page.getByRole('button', { name: /^Curves/ });
  await expect(button).toContainText('8 of 42');
  await button.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Curves' });
  await expect(dialog).toContainText('42 curves');
  await dialog.getByRole('searchbox', { name: 'Search among curves' }).fill('cell_4');
  await expect(dialog).toContainText('3 of 42');
  await dialog.getByRole('searchbox', { name: 'Search among curves' }).fill('cell_4 a');
  await expect(dialog).toContainText('2 of 42');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'cell_41' })).toContainText('3.91 A');
  await dialog.getByRole('checkbox', { name: 'cell_41' }).check();
  await expect(button).toContainText('9 of 42');
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole('checkbox', { name: 'cell_41' })).toBeVisible();
  await expectToFit(page);
});
