/** Sending with a real keyboard and clipboard: pasted lines, history, hidden input, hex, and keys in the log. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { exported, log, message, prompt, startDemo, type } from './terminal-steps.ts';

const dock = (page: Page) => page.getByRole('group', { name: 'Pasted lines' });
const sentRows = (page: Page) => log(page).locator('[data-direction=sent]');
const options = (page: Page) => page.getByRole('button', { name: /^Send options/ });

/** Pastes through the system's clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await message(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
}

async function typedAs(page: Page, kind: 'Text' | 'Escapes' | 'Hex'): Promise<void> {
  await options(page).click();
  await page.getByRole('radiogroup', { name: 'Typed as' }).getByRole('radio', { name: kind }).check();
  await page.keyboard.press('Escape');
}

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test('pasted lines wait for a decision, then for the prompt of the board, and stop between two of them', async ({
  page,
}) => {
  await startDemo(page);
  const lines = Array.from({ length: 12 }, (_, index) => `echo line ${index}`);

  await test.step('nothing is sent before, also not with Enter', async () => {
    await paste(page, `${lines.join('\r\n')}\r\n`);
    await expect(dock(page)).toContainText('12 lines pasted');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Send 12 lines' })).toBeFocused();
    await expect(sentRows(page)).toHaveCount(0);
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
  });

  await test.step('each line is sent when the prompt is back', async () => {
    await expect(dock(page).getByRole('radio', { name: 'Wait for demo>' })).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(dock(page)).toHaveCount(0);
    await expect(message(page)).toBeFocused();
    const { bytes } = await exported(page, 'Received bytes of Port 1');
    const echoed = [...bytes.toString().matchAll(/demo> (echo line \d+)\r\n/g)].map(([, line]) => line);
    expect(echoed).toEqual(lines);
  });

  await test.step('stopping says how many went, and offers the rest', async () => {
    await paste(page, lines.join('\n'));
    await dock(page).getByRole('radio', { name: 'Pause' }).check();
    await dock(page).getByRole('textbox', { name: 'Pause in milliseconds' }).fill('60000');
    await page.getByRole('button', { name: 'Send 12 lines' }).click();
    await expect(dock(page)).toContainText('1 of 12 lines');
    await page.getByRole('button', { name: 'Stop sending lines' }).click();
    await expect(dock(page)).toContainText('Stopped: 1 of 12 lines went to Port 1.');
    await page.getByRole('button', { name: 'Send the other 11' }).click();
    await expect(dock(page)).toContainText('11 lines pasted');
    await message(page).press('Escape');
    await expect(dock(page)).toHaveCount(0);
    await expect(sentRows(page).filter({ hasText: 'echo line 1' })).not.toHaveCount(0);
  });

  await test.step('they go as one line, or into the field, and a long line goes as well', async () => {
    await paste(page, 'echo a\nb');
    await page.getByRole('button', { name: 'As one line' }).click();
    await expect(sentRows(page).last()).toContainText('echo a b');
    await paste(page, 'echo c\nd');
    await page.getByRole('button', { name: 'Into the field' }).click();
    await expect(message(page)).toHaveValue('echo c d');
    await message(page).fill('');
    await paste(page, `help\n${'x'.repeat(300)}`);
    await page.getByRole('button', { name: 'Send 2 lines' }).click();
    await expect(sentRows(page).last()).toContainText('xxx');
    await expect(dock(page)).toHaveCount(0);
  });

  await test.step('the dock fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await paste(page, lines.join('\n'));
    await expect(page.getByRole('button', { name: 'Send 12 lines' })).toBeInViewport({ ratio: 1 });
    await expectToFit(page);
    expect(await findings(page)).toEqual([]);
  });
});

test('the history keeps how messages were typed, survives a reload, is searched and forgotten', {
  tag: '@long',
}, async ({ page }) => {
  await startDemo(page);
  await type(page, 'echo first');
  await typedAs(page, 'Hex');
  await message(page).fill('0x65, 0x63, 0x68, 0x6F, 0x20, 7, 0x0A');
  await expect(page.getByLabel('Bytes to be sent')).toHaveText('65 63 68 6F 20 07 0A· 7 bytes');
  await message(page).press('Enter');
  await typedAs(page, 'Text');
  await page.reload();
  await page.getByRole('button', { name: 'Try the demo board' }).click();
  await expect(log(page)).toContainText(prompt);
  await message(page).press('ArrowUp');
  await expect(message(page)).toHaveValue('0x65, 0x63, 0x68, 0x6F, 0x20, 7, 0x0A');
  await expect(options(page)).toHaveText('Hex');
  await message(page).press('ArrowUp');
  await expect(message(page)).toHaveValue('echo first');
  await expect(options(page)).toHaveText('Text · LF');
  await message(page).fill('unsent');

  await page.keyboard.press('Control+R');
  const search = page.getByRole('textbox', { name: 'Search the history' });
  await expect(search).toBeFocused();
  await page.keyboard.type('FIR');
  await expect(page.getByRole('form', { name: 'Send' })).toContainText('echo first');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(message(page)).toHaveValue('unsent');
  await page.keyboard.press('Control+R');
  await page.keyboard.type('fir');
  await page.keyboard.press('Enter');
  await expect(message(page)).toHaveValue('echo first');
  await expect(sentRows(page)).toHaveCount(0);

  await options(page).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Search history' }).click();
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await options(page).click();
  await page.getByRole('button', { name: 'Forget history' }).click();
  await message(page).fill('');
  await message(page).press('ArrowUp');
  await expect(message(page)).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('first');
});

test('hidden input is in no log, no export and no storage', async ({ page }) => {
  await startDemo(page);
  await options(page).click();
  await page.getByRole('checkbox', { name: /^Hide input/ }).check();
  await page.keyboard.press('Escape');
  await message(page).fill('hunter2');
  await expect(page.getByRole('img', { name: 'Input is hidden' })).toBeVisible();
  await expect(message(page)).toHaveCSS('-webkit-text-security', 'disc');
  await message(page).press('ControlOrMeta+A');
  await page.keyboard.press('ControlOrMeta+C');
  await message(page).press('Enter');
  await expect(sentRows(page)).toContainText('hidden, 8 bytes');
  const { bytes } = await exported(page, 'Text log');
  // The demo board echoes what it gets, as a board at a password prompt would not.
  expect(bytes.toString()).toContain('hidden, 8 bytes');
  const sent = bytes
    .toString()
    .split('\n')
    .filter((line) => line.includes('hidden, 8 bytes') || / TX /.test(line));
  expect(sent.join('\n')).not.toContain('hunter2');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(kept).not.toContain('hunter2');
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toContain('hunter2');
});

test('the answer to a prompt for a password is hidden for one Enter, and shown after Show', async ({ page }) => {
  await startDemo(page);
  const strip = page.getByText('Hidden: password.').filter({ visible: true });
  const secret = 'solder-and-flux';

  await test.step('dots until Enter, in a window of any size', async () => {
    await type(page, 'login');
    await expect(strip).toBeVisible();
    await expect(log(page).locator('[data-direction=received]').last()).toHaveText(/Password:\s*$/);
    await message(page).fill(secret);
    await expect(message(page)).toHaveCSS('-webkit-text-security', 'disc');
    for (const [width, height] of [
      [1_440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expectToFit(page);
      expect(await findings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    await message(page).press('Enter');
    await expect(log(page)).toContainText('Welcome.');
    await expect(strip).toHaveCount(0);
    await expect(sentRows(page)).toContainText(['login', 'hidden, 16 bytes']);
  });

  await test.step('it is in no file, no history and no storage', async () => {
    for (const kind of ['Text log', 'CSV'] as const) {
      const { bytes } = await exported(page, kind);
      expect(bytes.toString()).toContain('hidden, 16 bytes');
      expect(bytes.toString()).not.toContain(secret);
    }
    await message(page).press('ArrowUp');
    await expect(message(page)).toHaveValue('login');
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).toContain('login');
    expect(kept).not.toContain(secret);
  });

  await test.step('Show undoes it for this prompt', async () => {
    await message(page).press('Enter');
    await expect(strip).toBeVisible();
    await page.keyboard.type('hunt');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(message(page)).toBeFocused();
    await expect(message(page)).not.toHaveCSS('-webkit-text-security', 'disc');
    await page.keyboard.type('er2');
    await page.keyboard.press('Enter');
    await expect(log(page)).toContainText('Login incorrect');
    await expect(sentRows(page)).toContainText(['hunter2']);
    await message(page).press('ArrowUp');
    await expect(message(page)).toHaveValue('hunter2');
  });
});

test('keys in the log go to the field, and function keys send labelled messages', async ({ page }) => {
  await startDemo(page);

  await test.step('a character in the log goes to the field, shortcuts stay', async () => {
    await log(page).focus();
    await page.keyboard.type('echo typed');
    await expect(message(page)).toBeFocused();
    await expect(message(page)).toHaveValue('echo typed');
    await page.keyboard.press('Enter');
    await expect(sentRows(page)).toContainText('echo typed');
    await log(page).focus();
    await page.keyboard.press('Shift+A');
    await expect(page.getByText('Jump to newest')).toBeVisible();
    await page.keyboard.press('Shift+A');
    await expect(log(page)).toBeFocused();
  });

  await test.step('F1 sends the first message of the panel of the selected port', async () => {
    await message(page).fill('echo pinned');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Options of echo pinned' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Label' }).fill('Say so');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Target of Panel 1/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Port 1' }).click();
    await message(page).fill('');
    const row = page.getByRole('list', { name: 'Commands of Panel 1' }).getByRole('listitem');
    await expect(row).toContainText('Say so');
    await expect(row).toContainText('F1');
    await message(page).press('F1');
    await expect(sentRows(page).last()).toContainText('echo pinned');
    await expect(log(page)).toContainText(prompt);
    expect(await findings(page)).toEqual([]);
  });
});

test('a closed port says when it was closed, and connects again in the same log', async ({ page }) => {
  await startDemo(page);
  await page.getByRole('button', { name: 'Disconnect port 1' }).click();
  await expect(message(page)).toHaveAttribute('placeholder', /^Port 1 was closed at \d\d:\d\d:\d\d\. The log stays\.$/);
  await expect(options(page)).toHaveCount(0);
  await type(page, 'help');
  await expect(page.getByRole('alert').filter({ hasText: 'No ports are connected' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(page.getByRole('button', { name: 'Port 1 Send' })).toBeVisible();
  await expect(log(page)).toContainText('Port 1 disconnected');
  await message(page).press('Enter');
  await expect(sentRows(page)).toContainText('help');
});
