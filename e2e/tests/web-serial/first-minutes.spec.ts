/** The first two minutes of newcomers, by the mouse, through Chromium's own Web Serial: the clicks of each are counted. */
import type { Page } from '@playwright/test';
import { ChattyBoard } from '@wirebench/devices';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { countClicks } from '../../support/count-clicks.ts';
import { test as base, expect } from '../../web-serial/fixture.ts';
import { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { log, prompt } from '../terminal-steps.ts';

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();

base.describe('a board at 9600 baud', () => {
  base.use({ line: { baudRate: 9_600, paced: false } });
  const test = base.extend<{ chatty: ChattyBoard }>({
    // Playwright requires a destructured first parameter, even an empty one.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    chatty: async ({}, use) => use(new ChattyBoard({ baudRate: 9_600, powerUp: 'first-open', sensors: true })),
    board: async ({ port, chatty }, use) => use(new PluggedBoard(port, chatty)),
  });

  test('is readable one click after its garbage', async ({ terminal }) => {
    await connect(terminal);
    const clicks = await countClicks(terminal);
    await terminal.getByRole('button', { name: 'Find the rate', exact: true }).click();
    await expect(log(terminal)).toContainText('temperature:', { timeout: 60_000 });
    expect(await clicks()).toBe(1);
  });
});

base('a shell takes keys one click after it was connected', async ({ terminal }) => {
  await connect(terminal);
  await expect(log(terminal)).toContainText(prompt);
  const clicks = await countClicks(terminal);
  await terminal.getByText('Screen', { exact: true }).click();
  await expect(terminal.getByRole('button', { name: /^Keys go to Port 1/ })).toBeVisible();
  await terminal.keyboard.type('help');
  await terminal.keyboard.press('Enter');
  await expect(terminal.locator('.xterm-rows')).toContainText('which addresses answer');
  expect(await clicks()).toBe(1);
});

base.describe('a MicroPython board', () => {
  const test = base.extend({
    board: async ({ port }, use) => use(new PluggedBoard(port, await MicroPythonBoard.load({ powerUp: 'first-open' }))),
  });

  test('answers the first command, typed after one click', async ({ terminal }) => {
    const clicks = await countClicks(terminal);
    await connect(terminal);
    await expect(log(terminal)).toContainText('MicroPython v');
    await terminal.keyboard.type('print(6 * 7)');
    await terminal.keyboard.press('Enter');
    await expect(log(terminal)).toContainText(/print\(6 \* 7\).*42.*>>> $/s);
    expect(await clicks()).toBe(1);
  });
});
