/** Layouts of the console: one pane for each port, and long lines that wrap. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { expectToast, noteToasts } from '../support/toasts.ts';
import { openScripted } from './scripted-port.ts';
import {
  chooseView,
  clearLog,
  connectDemo,
  log,
  newLines,
  openTerminal,
  prompt,
  scrollUp,
  showMore,
  startDemo,
  tryDemo,
  type,
} from './terminal-steps.ts';

const phone = { width: 390, height: 844 };
const pane = (page: Page, port: number): Locator => page.getByRole('log', { name: `Messages of Port ${port}` });
const rows = (of: Locator): Locator => of.locator('[data-direction]');
const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Find in the console' });

async function splitWithTwo(page: Page): Promise<void> {
  await startDemo(page);
  await connectDemo(page, 2);
  await chooseView(page, 'Split by port');
  await expect(pane(page, 1)).toContainText(prompt);
  await expect(pane(page, 2)).toContainText(prompt);
}

/** Returns the row at the upper edge of a log, and its distance from the edge. */
function topRow(of: Locator): Promise<string> {
  return of.evaluate((element) => {
    const edge = element.getBoundingClientRect().top;
    const all = [...element.querySelectorAll('[data-direction]')];
    const row = all.find((one) => one.getBoundingClientRect().bottom > edge + 1);
    return `${row?.textContent} at ${Math.round((row?.getBoundingClientRect().top ?? 0) - edge)}`;
  });
}

/** Returns the distance from the last row's lower edge to the log's, in px. */
function roomBelow(of: Locator): Promise<number> {
  return of.evaluate((element) => {
    const last = [...element.querySelectorAll('[data-direction]')].at(-1);
    return Math.round(element.getBoundingClientRect().bottom - (last?.getBoundingClientRect().bottom ?? 0));
  });
}

test('ports side by side are scrolled and followed by themselves, without findings, resized from the keyboard and as wide after a reload', async ({
  page,
}) => {
  await splitWithTwo(page);

  await test.step('a pane is scrolled and followed by itself', async () => {
    await type(page, 'load 20000 4');
    await expect(pane(page, 1)).toContainText('load: 2000 lines');
    await scrollUp(page, pane(page, 1), 400);
    const first = page.getByRole('region', { name: 'Port 1', exact: true });
    await expect(first.getByText('Jump to newest')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Port 2', exact: true }).getByText('Following')).toBeVisible();
    const read = await topRow(pane(page, 1));
    await type(page, 'info');
    await expect(newLines(first)).toBeVisible();
    await expect.poll(() => topRow(pane(page, 1))).toBe(read);
    await first.getByRole('button', { name: 'Jump to newest' }).click();
    await expect(first.getByText('Following')).toBeVisible();
    await expect(pane(page, 1)).toContainText('115200 8N1');
  });

  await test.step('panes are without findings', async () => {
    await pane(page, 1).press('Home');
    await expect(page.getByText('Jump to newest')).toBeVisible();
    expect(await findings(page, { landmarks: true })).toEqual([]);
  });

  await test.step('panes are reached and resized from the keyboard, and stay as wide after a reload', async () => {
    const width = async () => Math.round((await pane(page, 1).boundingBox())?.width ?? 0);
    const before = await width();
    const separator = page.getByRole('separator', { name: 'Width of port 1' });
    await separator.focus();
    let after = before;
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(width).toBeGreaterThan(after);
      after = await width();
    }
    expect(after).toBeGreaterThan(before + 20);
    await pane(page, 1).focus();
    await page.keyboard.press('Home');
    await expect(pane(page, 1)).toContainText('Port 1 connected');
    await page.reload();
    await tryDemo(page);
    await connectDemo(page, 2);
    await expect.poll(async () => Math.abs((await width()) - after)).toBeLessThan(3);
  });
});

test.describe('long lines', () => {
  const height = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().height);

  test('wrap until that is switched off, fold after eight rows, and show what was found in them', async ({ page }) => {
    await openTerminal(page);
    const port = await openScripted(page, 1);

    await test.step('wrap in the text display until that is switched off, also after a reload', async () => {
      await port.say(`${'a long line '.repeat(30)}end of it\nshort\n`);
      const long = rows(log(page)).filter({ hasText: 'end of it' });
      await expect(long).toBeVisible();
      await expect.poll(() => height(long)).toBeGreaterThan(40);
      await expect.poll(() => height(rows(log(page)).filter({ hasText: 'short' }))).toBe(25);
      await expect.poll(() => log(page).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await page.getByText('Hex', { exact: true }).click();
      await expect(log(page)).toContainText('73 68 6F 72 74 0A');
      await expect.poll(() => height(rows(log(page)).last())).toBe(25);
      await page.getByText('Text', { exact: true }).click();
      await expect.poll(() => height(long)).toBeGreaterThan(40);
      await chooseView(page, 'Wrap lines');
      await expect.poll(() => height(long)).toBe(25);
      await chooseView(page, 'Wrap lines');
    });

    await test.step('fold after eight rows, and a button shows the rest', async () => {
      await clearLog(page);
      await port.say(`${'0123456789'.repeat(400)}END\nafter it\n`);
      const long = rows(log(page)).filter({ hasText: 'END' });
      await expect.poll(() => height(long)).toBe(8 * 19 + 19 + 6);
      const more = long.getByRole('button', { name: /more characters$/ });
      const hidden = Number((await more.innerText()).replaceAll(/\D/g, ''));
      const columns = await log(page).evaluate((element) => {
        const content = element.querySelector('[class*=content]');
        const ruler = element.querySelector('[class*=ruler]');
        return Math.floor(
          ((content?.getBoundingClientRect().width ?? 0) * 100) / (ruler?.getBoundingClientRect().width ?? 1),
        );
      });
      expect(hidden).toBe(4_003 - 8 * columns);
      await more.press('Enter');
      await expect(more).toBeHidden();
      await expect(log(page)).toBeFocused();
      await expect.poll(() => height(long)).toBe(Math.ceil(4_003 / columns) * 19 + 6);
    });

    await test.step('unfold beyond the 4096 bytes of a usual row', async () => {
      await clearLog(page);
      await port.say(`${'x'.repeat(20_000)}THE END\n`);
      const more = log(page).getByRole('button', { name: /more bytes$/ });
      await expect(more).toBeVisible();
      await more.click();
      await expect(log(page)).toContainText('xTHE END');
      await expect(rows(log(page))).toHaveCount(1);
    });

    await test.step('show what was found in them, folded, wrapped or not', async () => {
      await clearLog(page);
      await port.say(`${'word '.repeat(700)}needle\n${'filler\n'.repeat(200)}`);
      await field(page).fill('needle');
      await expect(page.getByText('1 found')).toBeVisible();
      await field(page).press('Enter');
      const mark = log(page).getByText('needle', { exact: true });
      await expect(mark).toBeInViewport();
      await expect(log(page).getByRole('button', { name: /more characters/ })).toHaveCount(0);
      await chooseView(page, 'Wrap lines');
      await log(page).press('End');
      await expect(mark).toHaveCount(0);
      await page.setViewportSize({ width: 760, height: 500 });
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await field(page).press('Enter');
      await expect(mark).toBeInViewport();
      await expect(log(page).locator('[data-current]')).toContainText('needle');
    });
  });

  test('on a phone are wrapped, stay where they are read while others come, and of a megabyte leave the console usable', {
    tag: '@long',
  }, async ({ page }) => {
    await page.setViewportSize(phone);
    await openTerminal(page);
    const port = await openScripted(page, 1);

    await test.step('without being asked', async () => {
      await port.say(`${'short\n'.repeat(30)}${'a long line '.repeat(30)}end of it\n`);
      const long = rows(log(page)).filter({ hasText: 'end of it' });
      await expect.poll(() => height(long)).toBeGreaterThan(100);
      await expect(page.getByText('Following')).toBeVisible();
      await expect.poll(() => roomBelow(log(page))).toBe(0);
      await showMore(page);
      await page.getByRole('button', { name: 'View', exact: true }).click();
      await expect(page.getByRole('checkbox', { name: 'Wrap lines' })).toBeChecked();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More', exact: true }).click();
    });

    await test.step('stay where they are read while others come, and the newest one is at the lower edge', async () => {
      await clearLog(page);
      const line = (index: number) => `line ${index} ${'word '.repeat((index * 7) % 40)}\n`;
      const lines = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => line(from + index)).join('');
      await port.say(lines(0, 300));
      await expect(log(page)).toContainText('line 299 ');
      await expect.poll(() => roomBelow(log(page))).toBe(0);
      await expect.poll(() => log(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(2_000);
      await scrollUp(page, log(page), 1_500);
      await expect(log(page)).not.toContainText('line 299 ');
      const read = await topRow(log(page));
      for (let from = 300; from < 900; from += 100) {
        await port.say(lines(from, from + 100));
      }
      await expect(newLines(page)).toHaveText('600 new lines');
      await expect.poll(() => topRow(log(page))).toBe(read);
      await log(page).press('End');
      await expect(log(page)).toContainText('line 899 ');
      await expect.poll(() => roomBelow(log(page))).toBe(0);
      await log(page).press('Home');
      await expect(log(page)).toContainText('line 0');
    });

    await test.step('lines of a megabyte leave the console usable', async () => {
      await clearLog(page);
      await port.say('before\n');
      for (let piece = 0; piece < 16; piece++) {
        await port.say('0123456789abcdef'.repeat(4_096));
      }
      await expect(rows(log(page)).last()).toContainText('0123456789abcdef');
      // A row has 512 bytes of a line without an end.
      await expect(rows(log(page)).last()).not.toContainText('0123456789abcdef'.repeat(33));
      await log(page).press('Home');
      await expect(log(page)).toContainText('before');
      await log(page).press('End');
      await port.say('\nafter\n');
      await expect(rows(log(page)).filter({ hasText: 'after' })).toBeInViewport();
      await expect(log(page).getByRole('button', { name: /more bytes$/ })).toBeInViewport();
    });
  });
});

test('with a finger a long press selects lines, and a tap everything up to another one', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    viewport: phone,
    hasTouch: true,
    isMobile: true,
    ...(baseURL && { baseURL }),
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await noteToasts(context);
  const page = await context.newPage();
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('one\ntwo\nthree\nfour\n');
  const row = (text: string) => rows(log(page)).filter({ hasText: text });
  await expect(row('four')).toBeVisible();
  await row('two').tap();
  await expect(log(page).locator('[data-selected]')).toHaveCount(0);
  const box = await row('two').boundingBox();
  const session = await context.newCDPSession(page);
  const finger = [{ x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 8 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: finger });
  await expect(page.getByText('Lines are selected.')).toBeVisible();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await row('four').tap();
  await expect(log(page).locator('[data-selected]')).toHaveCount(3);
  await page.getByRole('button', { name: 'Copy', exact: true }).tap();
  await expectToast(page, '3 lines copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('two\nthree\nfour');
  await page.getByRole('button', { name: 'Cancel', exact: true }).tap();
  await expect(log(page).locator('[data-selected]')).toHaveCount(0);
  await context.close();
});
