/**
 * The visible part of the terminal's console in small windows: zoomed to 200 %, on a phone with its keyboard, in
 * landscape.
 */
import type { Locator, Page } from '@playwright/test';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import {
  connectDemo,
  foldDock,
  log,
  message,
  openTool,
  showMore,
  showPanels,
  startDemo,
  type,
} from './terminal-steps.ts';

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

test('the console shows eight lines in small windows, with four ports open, with a panel, and beside a plot', {
  tag: '@long',
}, async ({ page }) => {
  test.slow();
  await fourPorts(page);
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
      await expect(page.getByRole('tab', { name: /^Plot/ })).toBeFocused();
      if (isFolded) {
        await expect(more).toHaveAttribute('aria-expanded', 'false');
      }
      await expect.poll(() => wholeRows(page)).toBeGreaterThanOrEqual(8);
      if (width < 600) {
        // The plot is above the log. Collapsed parts are one click away, and the curves are visible.
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
        const field = page.getByRole('textbox', { name: 'Find in the console' });
        await expect(field).toBeInViewport({ ratio: 1 });
        // A folded field says that it searches.
        const find = page.getByRole('button', { name: 'Find', exact: true });
        await expect(find).not.toHaveAttribute('aria-pressed');
        await field.fill('adc');
        await expect(find).toHaveAttribute('aria-pressed', 'true');
        await field.fill('');
        await page.keyboard.press('Escape');
      }
      await expectToFit(page);
      await foldDock(page);
      // The row of the Tools menu may be open.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.id))
        .toMatch(/^(show-device-panels|more-tools)$/);

      await showPanels(page);
      await foldDock(page);
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
    const tool = page.getByRole('region', { name: 'Crashes' });
    const console = page.getByRole('region', { name: 'Console' });
    await expect.poll(() => heightOf(tool)).toBe(await heightOf(console));
    await expectToFit(page);
    const handle = page.getByRole('separator', { name: 'Width of the dock' });
    const widthOf = async (of: Locator) => (await of.boundingBox())?.width ?? 0;
    const before = await widthOf(tool);
    await handle.focus();
    // The log has its 80 columns and not one more, so the tool can only give room.
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => widthOf(tool)).toBeLessThan(before);
    await openTool(page, 'Statistics');
    await page.getByRole('tab', { name: 'Statistics' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: /^Crashes/ })).toBeFocused();
    await expect.poll(() => heightOf(tool)).toBe(await heightOf(console));
    await expectToFit(page);
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expect(page.getByRole('article', { name: 'Crash' })).toBeVisible();
    await expectToFit(page);
  });

  await test.step('a crash is read from side to side in a drawer over the log', async () => {
    const crash = page.getByRole('article', { name: 'Crash' });
    await expect(crash).toBeVisible();
    await page.setViewportSize({ width: 844, height: 390 });
    const widthOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().width);
    const tool = await widthOf(page.getByRole('region', { name: 'Crashes' }));
    await expect.poll(() => widthOf(crash)).toBeGreaterThan(tool * 0.9);
  });
});

test('settings, passing messages and panels leave the console its room', async ({ page }) => {
  await startDemo(page);

  await test.step('passing messages stay in the line below the log and cover nothing', async () => {
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

  await test.step('the panels can be put away, and stay away', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await foldDock(page);
    await page.reload();
    const button = page.getByRole('button', { name: 'Panels', exact: true });
    await expect(button).toBeVisible();
    await expect(page.getByRole('region', { name: 'Panels' })).toHaveCount(0);
    await button.click();
    await expect(page.getByRole('region', { name: 'Panels' })).toBeVisible();
    await expect(message(page)).toBeVisible();
  });
});

test('the settings, the curve and the lights of four tabs stand beside each other at every width', async ({ page }) => {
  await fourPorts(page);
  for (const width of [1_440, 1_280, 1_181, 1_024, 961]) {
    await page.setViewportSize({ width, height: 800 });
    for (const port of [1, 2, 3, 4]) {
      const settings = page.getByRole('button', { name: `Settings of port ${port}` });
      await expect(settings).toContainText('115200 8N1');
      const { right } = await settings.evaluate((element) => element.getBoundingClientRect());
      const beside = page.locator(`[role=tab][data-port="${port}"]`).locator('canvas, [aria-hidden=true]:has(em)');
      const lefts = await beside.evaluateAll((elements) =>
        elements.filter((element) => element.checkVisibility()).map((element) => element.getBoundingClientRect().left),
      );
      expect(lefts.length).toBeGreaterThan(0);
      expect(right, `port ${port} at ${width} px`).toBeLessThanOrEqual(Math.min(...lefts));
    }
  }
});

test('a message stays inside the log beside a tool, in every window', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Plot');
  for (const { width, height } of [{ width: 1_440, height: 900 }, { width: 1_024, height: 768 }, ...sizes]) {
    await page.setViewportSize({ width, height });
    const message = page.locator('#toasts').getByText('Messages cleared');
    // The tool takes the focus once it has become a drawer.
    await expect(async () => {
      await log(page).focus();
      await page.keyboard.press('Shift+C');
      await expect(message).toBeInViewport({ ratio: 1, timeout: 3_000 });
      await page.getByRole('button', { name: 'Undo' }).click({ timeout: 3_000 });
    }).toPass();
    await expect(message).toHaveCount(0);
  }
});
