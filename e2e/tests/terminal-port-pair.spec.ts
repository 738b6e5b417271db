/** Two logs of one line as one conversation: questions in one, answers in the other. */
import type { Page } from '@playwright/test';
import { logPage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { log, openTool, selectTab } from './terminal-steps.ts';

const frames = (page: Page) => log(page).locator('[data-frame]');
const stamped = (ms: number, digits: string) =>
  `2026-11-20 14:03:0${Math.floor(ms / 1_000)}.${String(ms % 1_000).padStart(3, '0')}  Port 1  RX  ${digits}\n`;

/** Requests for a register of unit 7, and answers of 231, 18 ms later. */
const questions = [0, 1, 2].map((round) => stamped(round * 1_000, '07 03 00 00 00 01 84 6C')).join('');
const answers = [0, 1].map((round) => stamped(round * 1_000 + 18, '07 03 02 00 E7 70 0E')).join('');

test('answers in one log belong to questions in another one, and are counted and found together', async ({ page }) => {
  await page.goto(logPage);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await (await chooser).setFiles([
    { name: 'questions.log', mimeType: 'text/plain', buffer: Buffer.from(questions) },
    { name: 'answers.log', mimeType: 'text/plain', buffer: Buffer.from(answers) },
  ]);
  await expect(page.getByRole('tab')).toHaveCount(2);

  await test.step('the port of the answers is chosen below the decoder', async () => {
    await selectTab(page, 1);
    const pane = page.getByRole('complementary', { name: 'How log 1 is read' });
    await expect(async () => {
      if (!(await pane.isVisible())) {
        await page.getByRole('button', { name: 'Settings of port 1' }).click({ timeout: 2_000 });
      }
      await expect(pane).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await pane.getByRole('combobox', { name: 'Frames', exact: true }).selectOption({ label: 'Modbus RTU' });
    await pane.getByRole('combobox', { name: /^Answers to/ }).selectOption('2');
  });

  await test.step('each answer says after which port it came', async () => {
    await expect(frames(page)).toHaveCount(5);
    await expect(frames(page).nth(1)).toContainText(/read 0: 231.*18 ms after Port 1/);
    await expect(frames(page).nth(4)).toContainText('read 1 from 0');
  });

  await test.step('the overview counts both', async () => {
    await openTool(page, 'Statistics');
    const tool = page.getByRole('region', { name: 'Statistics', exact: true });
    await expect(
      tool.getByRole('table', { name: 'Answers by device' }).getByRole('row', { name: /^07 3 / }),
    ).toBeVisible();
    await tool.getByRole('button', { name: '07 read holding registers' }).click();
    await expect(page.getByRole('textbox', { name: 'Find in the console' })).toHaveValue('unit:7 function:3');
    await expect(frames(page)).toHaveCount(5);
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
  });
});
