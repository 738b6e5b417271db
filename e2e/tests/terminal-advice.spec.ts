/** The strip of advice over the last rows of the log: what it notices, one at a time, in windows of two widths. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { openScripted } from './scripted-port.ts';
import { log, message, openTerminal } from './terminal-steps.ts';

const advice = (page: Page) => page.getByRole('region', { name: 'Advice' });

/** Checks the page in each width, with the log in full width below the strip. */
async function expectGoodStrip(page: Page): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1_440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(advice(page)).toHaveCount(1);
    for (const button of await advice(page).getByRole('button').all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
    }
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
  }
}

test('a full-screen program in Text offers the Screen, which shows what came since it began', async ({ page }) => {
  await openTerminal(page);
  const board = await openScripted(page, 1);
  await board.say('$ vi notes.txt\r\n');
  await message(page).fill('h');
  await board.say('\x1b[?1049h\x1b[2J\x1b[H', '\x1b[1;1Hfirst line of the file', '\x1b[24;1H"notes.txt" 1L, 23B');
  await expect(log(page)).toContainText('notes.txt" 1L');
  await test.step('it waits while the person types', async () => {
    await expect(advice(page)).toHaveCount(0);
    await message(page).fill('');
    await expect(advice(page)).toContainText('A full-screen program runs on Port 1.');
    await expect(message(page)).toBeFocused();
  });
  await expectGoodStrip(page);
  await advice(page).getByRole('button', { name: 'Open the Screen' }).click();
  await expect(page.locator('.xterm-rows')).toContainText('first line of the file');
  await expect(page.getByRole('button', { name: /^Keys go to Port 1/ })).toBeVisible();
  await expect(advice(page)).toHaveCount(0);
});

test('a port from which nothing comes is offered what helps, until a byte comes', async ({ page }) => {
  test.slow();
  await openTerminal(page);
  const board = await openScripted(page, 1);
  await expect(advice(page)).toContainText('Nothing came from Port 1 in 10 s.', { timeout: 20_000 });
  await advice(page).getByRole('button', { name: 'Check the cable' }).click();
  await expect(advice(page).getByRole('listitem').first()).toContainText('RX of the adapter');
  await expectGoodStrip(page);
  await board.say('hello\r\n');
  await expect(advice(page)).toHaveCount(0);
});

test('frames are counted in their offer, which rests until the port is opened again', async ({ page }) => {
  await openTerminal(page);
  const open = async () => {
    await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
    await expect(advice(page)).toContainText(
      /These bytes are Modbus RTU\. \d+ frames since \d\d:\d\d:\d\d, what came before too\./,
    );
  };
  await open();
  await expectGoodStrip(page);
  await advice(page).getByRole('button', { name: 'Not now' }).click();
  await expect(advice(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Disconnect port 1' }).click();
  await open();
  await advice(page).getByRole('button', { name: 'Show frames' }).click();
  await expect(log(page).locator('[data-frame="right"]').first()).toBeVisible();
  await expect(advice(page)).toHaveCount(0);
});
