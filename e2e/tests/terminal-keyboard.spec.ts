/** Where the keyboard is in the terminal: where Enter sends, where the focus goes, and how far the arrow keys reach. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { chooseFrom, connectDemo, log, message, openTerminal, openTool, startDemo, type } from './terminal-steps.ts';

/** Waits for it: what takes over the focus does so in the next frame. */
async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
}

test('connecting leads to the field, which says where Enter sends, and Escape leads to the log', async ({ page }) => {
  await startDemo(page);
  await expect(message(page)).toBeFocused();
  await expect(message(page)).toHaveAccessibleDescription('Enter sends to Port 1');
  const flag = message(page)
    .locator('xpath=..')
    .getByRole('img', { name: /^Port \d$/ });
  await expect(flag).toHaveAccessibleName('Port 1');
  await page.getByRole('tab', { name: /^Port 2/ }).click();
  await expect(flag).toHaveAccessibleName('Port 2');
  await expect(message(page)).toHaveAccessibleDescription('Port 2 is not connected');
  await message(page).press('Escape');
  await expect(log(page)).toBeFocused();
});

test('one press sends to all open ports', async ({ page }) => {
  await startDemo(page);
  const all = page.getByRole('button', { name: 'Send to all open ports' });
  await expect(all).toHaveCount(0);
  await connectDemo(page, 2);
  await message(page).fill('info');
  await all.click();
  await expect(log(page).locator('[data-direction=sent]').filter({ hasText: 'info' })).toHaveCount(2);
});

test('the focus never falls to the page: disconnecting, closing tools and panels, menus, deleted rows', async ({
  page,
}) => {
  await startDemo(page);
  await openTool(page, 'Statistics');
  await page.getByRole('button', { name: 'Close the tools' }).press('Enter');
  await expectFocusKept(page);
  await chooseFrom(page, 'Time', 'Off');
  await expectFocusKept(page);
  const panel = page.getByRole('region', { name: 'Device 1' });
  const command = panel.getByRole('textbox', { name: 'Add a command' });
  await command.fill('info');
  await command.press('Enter');
  const row = panel.getByRole('button', { name: 'Send info', exact: true });
  await row.press('Delete');
  await page.keyboard.press('Delete');
  await expect(row).toHaveCount(0);
  await expectFocusKept(page);
  await page.getByRole('button', { name: 'Close the device panels' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Device panels', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Disconnect port 1' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Connect port 1' }).first()).toBeVisible();
  await expectFocusKept(page);
  await expect(page.getByRole('button', { name: 'Connect port 1' }).first()).toBeFocused();
});

test('turning a phone leaves the focus and what is typed where they were: find, message, log', async ({ page }) => {
  await startDemo(page);
  const find = page.getByRole('textbox', { name: 'Find in the console' });
  const turn = async () => {
    await page.setViewportSize({ width: 844, height: 390 });
    await expect(page.getByRole('navigation', { name: 'Terminal' })).toHaveCount(0);
  };
  const turnBack = async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByRole('navigation', { name: 'Terminal' })).toBeVisible();
  };
  await turnBack();
  await find.fill('wifi');
  await turn();
  await expect(find).toBeFocused();
  await page.keyboard.type(' lost');
  await turnBack();
  await expect(find).toBeFocused();
  await expect(find).toHaveValue('wifi lost');
  await page.keyboard.press('Escape');
  for (const place of [message(page), log(page)]) {
    await place.focus();
    await turn();
    await expect(place).toBeFocused();
    await turnBack();
    await expect(place).toBeFocused();
  }
});

test('turning a phone, or looking at the panels, leaves the lines where they were read', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  await type(page, 'load 4000 1');
  await expect(log(page)).toContainText('load: 100 lines');
  const places = page.getByRole('navigation', { name: 'Terminal' });
  const first = log(page)
    .getByText('ESP-ROM')
    .or(log(page).getByText(/^ets /))
    .or(log(page).getByText('rst:0x1'))
    .first();
  await log(page).press('Home');
  await expect(first).toBeInViewport();
  for (const away of ['turned', 'panels'] as const) {
    if (away === 'turned') {
      await page.setViewportSize({ width: 844, height: 390 });
      await expect(places).toHaveCount(0);
      await expect(first).toBeInViewport();
      await page.setViewportSize({ width: 390, height: 844 });
    } else {
      await places.getByRole('button', { name: 'Panels' }).click();
      await expect(log(page)).toHaveCount(0);
      await places.getByRole('button', { name: 'Console' }).click();
    }
    await expect(first).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Follow', exact: true })).toHaveAttribute('aria-pressed', 'false');
  }
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(places).toHaveCount(0);
  await expect(log(page).getByText('load: 100 lines').last()).toBeInViewport();
});

test('the arrow keys walk along the toolbar, which is one stop of the Tab key', async ({ page }) => {
  await startDemo(page);
  const toolbar = page.getByRole('toolbar', { name: 'Console', exact: true });
  await page.getByRole('textbox', { name: 'Find in the console' }).focus();
  await page.keyboard.press('Tab');
  await expect(toolbar.getByRole('button', { name: 'Tools' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: 'Follow' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(toolbar.getByRole('button', { name: 'Clear' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(toolbar.getByRole('button', { name: 'Tools' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('toolbar', { name: 'More console actions' }).getByRole('button').first()).toBeFocused();
});

test('a new panel aims at the only open port', async ({ page }) => {
  await openTerminal(page);
  await connectDemo(page, 1);
  await page.getByRole('button', { name: 'Add panel' }).click();
  await expect(page.getByRole('button', { name: 'Target of Device 2' })).toContainText('Port 1');
});

test('an open menu is in a landmark, and nothing hidden in it takes the focus', async ({ page }) => {
  await startDemo(page);
  await page.getByRole('button', { name: 'Console options' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await findings(page, { landmarks: true, rules: ['region', 'aria-hidden-focus'] })).toEqual([]);
  await page.keyboard.press('Escape');
  await type(page, 'info');
  await expect(log(page)).toContainText('Wirebench demo board');
});
