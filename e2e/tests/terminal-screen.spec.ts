/** The Screen: a terminal for one port, with a demo board that echoes and answers. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { openScripted } from './scripted-port.ts';
import { connectDemo, log, message, openTerminal, selectTab, showMore, startDemo } from './terminal-steps.ts';

async function show(page: Page, display: 'Screen' | 'Text'): Promise<void> {
  await showMore(page);
  await page.getByRole('radio', { name: display }).check();
}
const screenOf = (page: Page): Locator => page.getByRole('region', { name: 'Screen of Port 1' });
const rows = (page: Page): Locator => screenOf(page).locator('.xterm-rows');
/** Takes the mouse; the rows in it do not. */
const grid = (page: Page): Locator => screenOf(page).locator('.xterm-screen');
const keys = (page: Page): Locator => page.getByRole('toolbar', { name: 'Keys of the Screen' });
const armed = (page: Page): Locator => page.getByRole('button', { name: /^Keys go to Port 1/ });
const resting = (page: Page): Locator => page.getByRole('button', { name: 'Click or Ctrl+Shift+Enter to type' });

test('nothing of a Screen is fetched before one is opened, and what arrived before is on it', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await startDemo(page);
  expect(fetched.filter((url) => /screen/.test(url))).toEqual([]);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');
  expect(fetched.some((url) => /screen-view/.test(url))).toBe(true);
});

test('keys go to the board one by one, leave no rows in the log, and the screen keeps its state', async ({ page }) => {
  await startDemo(page);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');

  await test.step('a press on Screen leads into it, so that the next keys go to the board', async () => {
    await expect(armed(page)).toBeVisible();
    await page.keyboard.type('a');
    await expect(rows(page)).toContainText('demo> a');
    await page.keyboard.press('Backspace');
    await page.getByText('Screen', { exact: true }).click();
    await expect(armed(page)).toBeVisible();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('radio', { name: 'Screen' })).toBeChecked();
    await page.keyboard.press('Control+C');
    await expect(rows(page)).toContainText('^C');
  });

  await test.step('with the keyboard the focus stays in the switch, and Tab leaves it', async () => {
    await show(page, 'Text');
    await page.getByRole('radio', { name: 'Text' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(resting(page)).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Screen' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('radio', { name: 'Screen' })).not.toBeFocused();
    await expect(page.getByRole('radio', { name: 'Screen' })).toBeChecked();
  });

  await test.step('a key enters and leaves, and Tab is no trap', async () => {
    await page.keyboard.press('Control+Shift+Enter');
    await expect(armed(page)).toBeVisible();
    await page.keyboard.type('inx');
    await expect(rows(page)).toContainText('demo> inx');
    await page.keyboard.press('Backspace');
    await expect(rows(page)).not.toContainText('demo> inx');
    await page.keyboard.type('fo');
    await page.keyboard.press('Enter');
    await expect(rows(page)).toContainText('Wirebench demo board (simulated)');
    await page.keyboard.press('Control+Shift+Enter');
    await expect(resting(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(screenOf(page).locator('textarea')).not.toBeFocused();
  });

  await test.step('the key opens the Screen from the log and from the message field', async () => {
    for (const place of [log(page), message(page)]) {
      await show(page, 'Text');
      await place.focus();
      await page.keyboard.press('Control+Shift+Enter');
      await expect(armed(page)).toBeVisible();
      await page.keyboard.press('Control+Shift+Enter');
      await expect(resting(page)).toBeFocused();
    }
  });

  await test.step('a click enters, a click outside leaves', async () => {
    await grid(page).click();
    await expect(armed(page)).toBeVisible();
    await page
      .getByRole('heading', { name: 'Serial terminal' })
      .locator('..')
      .click({ position: { x: 2, y: 2 } });
    await expect(resting(page)).toBeVisible();
  });

  await test.step('the key row sends, also what the browser keeps, and the focus stays', async () => {
    await grid(page).click();
    await page.keyboard.type('abc');
    await expect(rows(page)).toContainText('demo> abc');
    await keys(page).getByRole('button', { name: 'Ctrl+C' }).click();
    await expect(armed(page)).toBeVisible();
    await expect(rows(page)).toContainText('^C');
    await keys(page).getByRole('button', { name: 'More keys' }).click();
    await expect(page.getByRole('menuitem', { name: 'Ctrl+W, kept by the browser' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Break' })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the log has what the board said and no row for the keys', async () => {
    await show(page, 'Text');
    await expect(log(page)).toContainText('Wirebench demo board (simulated)');
    await expect(log(page).locator('[data-direction="sent"]')).toHaveCount(0);
    await show(page, 'Screen');
    await expect(rows(page)).toContainText('Wirebench demo board (simulated)');
  });
});

test('the log is beside the Screen without its port, below it in a narrow window, or away', async ({ page }) => {
  await startDemo(page);
  await connectDemo(page, 2);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');
  const beside = page.getByRole('region', { name: 'Log beside the Screen' });
  const widthOf = async (of: Locator) => (await of.boundingBox())?.width ?? 0;

  await test.step('the port of the Screen rests in it until it is shown', async () => {
    await expect(beside).toContainText('Port 1 rests while on Screen');
    await expect(log(page)).toContainText('demo>');
    await expect(log(page).locator('[data-port="1"]')).toHaveCount(0);
    await expect(log(page).locator('[data-port="2"]').first()).toBeVisible();
    expect(await widthOf(beside)).toBeLessThanOrEqual(440);
    expect(await widthOf(screenOf(page))).toBeGreaterThan(1.9 * (await widthOf(beside)));
    expect(await findings(page)).toEqual([]);
    await beside.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(log(page).locator('[data-port="1"]').first()).toBeVisible();
    await beside.getByRole('button', { name: 'Hide port 1' }).click();
    await expect(log(page).locator('[data-port="1"]')).toHaveCount(0);
  });

  await test.step('it is below in a narrow window and by choice, and the Screen keeps its place on a phone', async () => {
    const below = page.getByRole('region', { name: 'Log below the Screen' });
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expect(below).toBeVisible();
    const [screen, rest] = [await screenOf(page).boundingBox(), await below.boundingBox()];
    expect(rest?.y).toBeGreaterThanOrEqual((screen?.y ?? 0) + (screen?.height ?? 0));
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(below).toBeHidden();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await beside.getByRole('button', { name: 'Log below the Screen' }).click();
    await expect(below).toBeVisible();
    await below.getByRole('button', { name: 'Log beside the Screen' }).click();
    await expect(beside).toBeVisible();
  });

  await test.step('it goes away, comes back by the settings, and follows the selected port', async () => {
    await beside.getByRole('button', { name: 'Close the log' }).click();
    await expect(log(page)).toHaveCount(0);
    await screenOf(page).getByRole('button', { name: 'Settings of the Screen' }).click();
    await page.getByRole('radio', { name: 'Beside' }).check();
    await page.keyboard.press('Escape');
    await expect(beside).toBeVisible();
    await selectTab(page, 2);
    await expect(beside).toContainText('Port 2 rests while on Screen');
    await expect(log(page).locator('[data-port="2"]')).toHaveCount(0);
    await expect(log(page).locator('[data-port="1"]').first()).toBeVisible();
  });
});

test('Find searches the Screen and the lines above it, by keyboard alone', async ({ page }) => {
  await startDemo(page);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');
  await expect(armed(page)).toBeVisible();
  for (let times = 0; times < 4; times++) {
    await page.keyboard.type('help');
    await page.keyboard.press('Enter');
  }
  await expect(rows(page)).not.toContainText('rst:0x1');
  await expect(rows(page)).toContainText(/restart\s*demo>\s*$/);
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('textbox', { name: 'Find in the Screen' });
  const found = (text: string) => page.getByRole('search').getByText(text);
  await expect(page.getByRole('textbox', { name: 'Find in the console' })).toHaveCount(0);
  await expect(field).toBeFocused();
  await page.keyboard.type('RST:0x1');
  await expect(found('1 of 1')).toBeVisible();
  await expect(rows(page)).toContainText('rst:0x1');
  await field.fill('demo> help');
  await expect(found('4 of 4')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(found('1 of 4')).toBeVisible();
  await page.keyboard.press('Shift+Enter');
  await expect(found('4 of 4')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await field.fill('nowhere');
  await expect(found('no match')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(armed(page)).toBeVisible();
  await page.keyboard.type('xy');
  await expect(rows(page)).toContainText('demo> xy');
  await page.keyboard.press('Control+Shift+Enter');
  await page.keyboard.press('Control+F');
  await expect(field).toBeFocused();
});

test('a power cut in a full-screen program leaves no mode behind, and Reset ends it at once', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('root@board:~# htop');
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('root@board:~# htop');
  const program = '\x1b[?1049h\x1b[?1h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b(0\x1b[2J\x1b[Hlqqk';

  await test.step('the boot text of the board ends them', async () => {
    await port.say(program);
    await expect(rows(page)).toContainText('┌──┐');
    await port.say('\r\nU-Boot SPL 2024.01\r\nlogin: ');
    await expect(rows(page)).toContainText('root@board:~# htop');
    await expect(rows(page)).toContainText('U-Boot SPL 2024.01');
    await page.keyboard.press('ArrowUp');
    expect((await port.heard(3)).toString('latin1')).toBe('\x1b[A');
    await grid(page).click();
    await page.keyboard.press('x');
    expect((await port.heard(1)).toString('latin1')).toBe('x');
  });

  await test.step('Reset clears the Screen and its modes, and sends nothing', async () => {
    await port.say(program);
    await expect(rows(page)).toContainText('┌──┐');
    await screenOf(page).getByRole('button', { name: 'Reset the Screen' }).click();
    await expect(rows(page)).not.toContainText('┌──┐');
    await expect(armed(page)).toBeVisible();
    await page.keyboard.press('ArrowUp');
    expect((await port.heard(3)).toString('latin1')).toBe('\x1b[A');
  });
});

test('a board that waits for a file gets the chosen one at once, and the keys go to the board again', async ({
  page,
}) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('$ rz\r\n');
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('$ rz');
  await port.say('rz waiting to receive.**\x18B01000000', '23be50\r\x8a\x11');
  await expect(page.getByText('The board on Port 1 waits for a file (ZMODEM).')).toBeVisible();
  await expect(rows(page)).toContainText('rz waiting to receive.');
  await expect(rows(page)).not.toContainText('B01');
  await page
    .getByLabel('File that the board on port 1 waits for')
    .setInputFiles({ name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('hello') });
  const strip = page.getByRole('group', { name: 'File transfer on port 1' });
  await expect(strip).toContainText('ZMODEM');
  await expect(page.getByRole('button', { name: 'Send file' })).toHaveCount(0);
  await expect(armed(page)).toBeVisible();
  await strip.getByRole('button', { name: 'Stop the file transfer on port 1' }).click();
  await expect(strip).toHaveCount(0);
  await expect(armed(page)).toBeVisible();
});

test('several pasted lines are asked about and sent with the Enter of the port, and the selection is copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await startDemo(page);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');
  await page.evaluate(() => navigator.clipboard.writeText('help\ninfo\n'));
  await grid(page).click();
  await page.keyboard.press('Control+Shift+V');
  await page.getByRole('button', { name: 'Send 2 lines' }).click();
  await expect(rows(page)).toContainText('uptime');
  // A line of the board may move the row away between its measurement and the double click.
  await expect(async () => {
    const row = await rows(page).locator('> div', { hasText: 'free heap' }).last().boundingBox();
    expect(row).not.toBeNull();
    await page.mouse.dblclick((row?.x ?? 0) + 12, (row?.y ?? 0) + 8);
    await page.keyboard.press('Control+Shift+C');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied, { timeout: 1_000 }).toBe('free');
  }).toPass();
});

test('a new size turns the size button amber until it is sent, and settings tell the board nothing', async ({
  page,
}) => {
  await startDemo(page);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');
  await screenOf(page).getByRole('button', { name: 'Settings of the Screen' }).click();
  await page.getByRole('radio', { name: '80 × 24' }).check();
  const size = screenOf(page).getByRole('button', { name: 'Set size 80 × 24 on the board' });
  await expect(size).toHaveText('Set size 80 × 24');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: /^Port 1/ }).click();
  expect(await findings(page)).toEqual([]);
  await show(page, 'Text');
  await expect(log(page).locator('[data-direction="sent"]')).toHaveCount(0);
  await show(page, 'Screen');
  await expect(size).toHaveText('Set size 80 × 24');
  await size.click();
  await expect(rows(page)).toContainText('stty cols 80 rows 24');
  await expect(size.locator('svg')).toHaveCount(0);
});

test('on a phone, Ctrl of the key row holds for one key, and twice locks it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  await show(page, 'Screen');
  await expect(rows(page)).toContainText('demo>');
  await grid(page).click();
  await page.keyboard.type('abc');
  await expect(rows(page)).toContainText('demo> abc');
  await keys(page).getByRole('button', { name: 'Ctrl' }).click();
  await expect(keys(page).getByRole('button', { name: 'Ctrl, for the next key' })).toBeVisible();
  await page.keyboard.type('c');
  await expect(rows(page)).toContainText('^C');
  await expect(keys(page).getByRole('button', { name: 'Ctrl', exact: true })).toBeVisible();
  await keys(page).getByRole('button', { name: 'Ctrl' }).click();
  await keys(page).getByRole('button', { name: 'Ctrl, for the next key' }).click();
  await expect(keys(page).getByRole('button', { name: 'Ctrl, locked' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});
