/**
 * The visible part of the terminal's console in small windows: zoomed to 200 %, on a phone with its keyboard, in
 * landscape.
 */
import type { Locator, Page } from '@playwright/test';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { chooseView, connectDemo, log, message, openTool, showMore, startDemo, type } from './terminal-steps.ts';

const sizes = [
  { name: 'at 200 % zoom', width: 720, height: 450 },
  { name: 'on a phone with its keyboard', width: 390, height: 500 },
  { name: 'in landscape', width: 844, height: 390 },
] as const;

/** Returns the number of completely visible rows. */
const wholeRows = (page: Page): Promise<number> =>
  log(page).evaluate((element) => {
    const seen = element.getBoundingClientRect();
    return [...element.querySelectorAll('[data-direction]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= seen.top - 1 && bottom <= seen.bottom + 1;
    }).length;
  });

const heightOf = (of: Locator): Promise<number> => of.evaluate((element) => element.getBoundingClientRect().height);

async function fourPorts(page: Page): Promise<void> {
  await startDemo(page);
  for (const port of [2, 3, 4]) {
    await connectDemo(page, port);
  }
  await type(page, 'load 4000 1');
  await expect(log(page)).toContainText('load: 100 lines');
}

test('the console shows eight lines in small windows, with four ports open, with a panel, and half of the room beside a plot', async ({
  page,
}) => {
  test.slow();
  await fourPorts(page);
  const tools = page.getByRole('region', { name: 'Tools' });
  const all = page.getByRole('button', { name: 'Send to all open ports' });
  const options = page.getByRole('button', { name: /^Send options/ });
  for (const { name, width, height } of sizes) {
    await test.step(name, async () => {
      await page.setViewportSize({ width, height });
      await expect(page.getByRole('button', { name: 'Port 4 Send' })).toBeVisible();
      await expect(all).toBeVisible();
      await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(8);
      await expectToFit(page);

      const more = page.getByRole('button', { name: 'More', exact: true });
      const isFolded = await more.isVisible();
      await openTool(page, 'Plot');
      if (isFolded) {
        await expect(page.getByRole('tab', { name: 'Plot' })).toBeFocused();
        await expect(more).toHaveAttribute('aria-expanded', 'false');
      }
      await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(8);
      if (width < 600) {
        // The tools are below the log, not beside it. Collapsed parts are one click away, and the curves are visible.
        await expect.poll(() => heightOf(log(page))).toBeGreaterThanOrEqual(await heightOf(tools));
        await type(page, 'adc 2 100000 10');
        await expect(page.getByRole('list', { name: 'Curves' })).toBeVisible();
        await expect
          .poll(() => heightOf(page.getByRole('img', { name: 'Curves of the numbers in the log' })))
          .toBeGreaterThanOrEqual(60);
        await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(8);
        // The flag in the field selects the port.
        await expect(all).toBeInViewport({ ratio: 1 });
        await expect(page.getByRole('button', { name: 'Enter sends to port 1' })).toBeInViewport({ ratio: 1 });
        await log(page).focus();
        await page.keyboard.press('/');
        await expect(page.getByRole('textbox', { name: 'Find in the console' })).toBeInViewport({ ratio: 1 });
        await page.keyboard.press('Escape');
      }
      await expectToFit(page);
      await page.getByRole('button', { name: 'Close the tools' }).click();
      // The row of the Tools menu may be open.
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toMatch(/^(tools-menu|more-tools)$/);

      await page.getByRole('button', { name: 'Device panels' }).click();
      await expect(page.getByRole('region', { name: 'Device panels' })).toBeVisible();
      await page.getByRole('button', { name: 'Close the device panels' }).click();
      await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(8);

      // Collapsed options are one click away.
      await options.click();
      await expect(page.getByRole('radiogroup', { name: 'Line ending' })).toBeVisible();
      await expectToFit(page);
      await page.keyboard.press('Escape');
      await showMore(page);
      await expect(page.getByRole('button', { name: 'Save the log' })).toBeVisible();
      await expectToFit(page);
      if (await more.isVisible()) {
        await more.click();
      }
    });
  }

  await test.step('at 1024 px the toolbar and the send bar are one row each, and nothing is out of reach', async () => {
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expect(page.getByRole('button', { name: 'Save the log' })).toBeVisible();
    const toolbar = page.getByRole('toolbar', { name: 'Console', exact: true });
    const row = toolbar.locator('xpath=..');
    expect(await heightOf(row)).toBeLessThanOrEqual(44);
    const send = page.getByRole('form', { name: 'Send' });
    expect(await heightOf(send)).toBeLessThanOrEqual(52);
    await expectToFit(page);
  });
});

test('a crash beside a wide log has its full height, is moved by keys, and is read from side to side', async ({
  page,
}) => {
  await startDemo(page);
  await type(page, 'crash');

  await test.step('a crash stands beside a wide log at full height, and the line between them is moved by keys', async () => {
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    await page.getByRole('button', { name: 'View the crash' }).press('Enter');
    const tools = page.getByRole('region', { name: 'Tools' });
    const console = page.getByRole('region', { name: 'Console' });
    await expect.poll(() => heightOf(tools)).toBe(await heightOf(console));
    await expectToFit(page);
    const handle = page.getByRole('separator', { name: 'Width of the tools' });
    const widthOf = async (of: Locator) => (await of.boundingBox())?.width ?? 0;
    const before = await widthOf(tools);
    await handle.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf(tools)).toBeGreaterThan(before);
    await page.getByRole('tab', { name: /^Crashes/ }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Statistics' })).toBeFocused();
    await expect.poll(() => heightOf(tools)).toBe(await heightOf(console));
    await expectToFit(page);
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: /^Crashes/ })).toBeFocused();
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expect.poll(() => heightOf(tools)).toBeLessThan(500);
    await expect(page.getByRole('article', { name: 'Crash' })).toBeVisible();
    await expectToFit(page);
  });

  await test.step('a crash is read from side to side where the tools are beside the log', async () => {
    const crash = page.getByRole('article', { name: 'Crash' });
    await expect(crash).toBeVisible();
    await page.setViewportSize({ width: 844, height: 390 });
    const widthOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().width);
    const tools = await widthOf(page.getByRole('region', { name: 'Tools' }));
    await expect.poll(() => widthOf(crash)).toBeGreaterThan(tools * 0.9);
  });
});

test('settings, passing messages, lanes and panels leave the console its room', async ({ page }) => {
  await startDemo(page);

  await test.step('what passes is in the line below the log, and covers neither the log nor the send bar', async () => {
    for (const { width, height } of [...sizes, { width: 1_440, height: 900 }, { width: 1_024, height: 768 }]) {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Clear' }).click();
      const toast = page.getByRole('status').filter({ hasText: 'Messages cleared' });
      await expect(toast).toBeVisible();
      await toast.hover();
      const box = await toast.boundingBox();
      for (const part of [page.getByRole('form', { name: 'Send' }), log(page)]) {
        const other = (await part.isVisible()) ? await part.boundingBox() : null;
        if (box !== null && other !== null) {
          expect(other.y >= box.y + box.height || other.y + other.height <= box.y, `${width} px`).toBe(true);
        }
      }
      await toast.getByRole('button', { name: 'Undo' }).click();
    }
  });

  await test.step('the settings scroll by themselves: they make no page longer than its window', async () => {
    const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    for (const [width, height] of [
      [390, 844],
      [390, 500],
      [720, 450],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Settings of port 1' }).click();
      await expect(page.getByRole('combobox', { name: 'Baud' })).toBeVisible();
      await expect.poll(beyond, `${width} × ${height}`).toBe(0);
      await page.getByRole('button', { name: 'Close the settings' }).click();
    }
  });

  await test.step('the lanes and the panels can be put away, and stay away', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    const lanes = page.getByRole('slider', { name: 'Jump to a time in the last minute' });
    await expect(lanes).toHaveCount(0);
    await chooseView(page, 'On', 'Activity lanes');
    await expect(lanes).toBeVisible();
    await chooseView(page, 'Off', 'Activity lanes');
    await expect(lanes).toHaveCount(0);
    await page.getByRole('button', { name: 'Close the device panels' }).click();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Device panels', exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Device panels' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Device panels', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Device panels' })).toBeVisible();
    await expect(message(page)).toBeVisible();
  });
});
