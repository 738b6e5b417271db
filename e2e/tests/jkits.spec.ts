/** The JKit library used by two people, each in their own browser, and by visitors without an account. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { jkitPaths, pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import { aim, answerTimeout, edit, openForm, panel, pin, row, send } from './panels-steps.ts';
import { bearer, type DemoAccount, signIn } from './sign-in-steps.ts';
import { connectDemo, log, openTerminal, showPanels } from './terminal-steps.ts';

const library = (page: Page) => page.getByRole('dialog', { name: 'JKit library' });
const press = (page: Page, name: string | RegExp) => library(page).getByRole('button', { name, exact: true }).click();

async function openLibrary(page: Page, tab: 'My JKits' | 'Starred' | 'Explore', name = 'Panel 1'): Promise<void> {
  if (!(await library(page).isVisible())) {
    await page.getByRole('button', { name: `JKit library for ${name}` }).click();
  }
  await library(page)
    .getByRole('tab', { name: new RegExp(`^${tab}`) })
    .click();
}

async function confirm(page: Page, question: string, action: string): Promise<void> {
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: action, exact: true }).click();
}

async function search(page: Page, text: string): Promise<void> {
  await openLibrary(page, 'Explore');
  await page.getByRole('searchbox', { name: 'Search shared JKits' }).fill(text);
}

/** Opens the terminal signed in. */
async function signedIn(page: Page, name: DemoAccount): Promise<Page> {
  await openTerminal(page);
  await signIn(page, name);
  return page;
}

/** Removes a test's JKits, also after a failed test. */
async function removeJkits(page: Page, name: string): Promise<void> {
  const headers = await bearer(page);
  const { data } = await (await page.request.get(`${jkitPaths.jkits}?limit=100`, { headers })).json();
  for (const jkit of data as { _id: string; name: string }[]) {
    if (jkit.name === name) {
      await page.request.delete(jkitPaths.jkit(jkit._id), { headers });
    }
  }
}

test('one saves and shares, the other finds, stars, rates, loads and sends; unshared, it is found no longer; the product has some of its own', async ({
  page,
  elsewhere,
}) => {
  test.slow();
  const name = uniqueName('board');
  const maker = await signedIn(page, 'maker');
  const tinkerer = await signedIn(await elsewhere(), 'tinkerer');
  try {
    await pin(maker, 'help');
    await edit(maker, 'help', { 'Wait for': 'demo>', 'Wait at most': answerTimeout, 'Then pause': '20' });
    await pin(maker, 'info');
    await openLibrary(maker, 'My JKits');
    await press(maker, 'Save this panel');
    await library(maker).getByRole('textbox', { name: 'Name' }).fill(name);
    await library(maker).getByRole('textbox', { name: 'Description' }).fill('What the demo board says of itself.');
    await press(maker, 'Save');
    await expectToast(maker, `${name} saved`);
    await press(maker, name);
    await press(maker, 'Share');
    await confirm(maker, `Share ${name}?`, 'Share');
    await expectToast(maker, `${name} shared`);

    await search(tinkerer, name);
    await press(tinkerer, name);
    await expect(library(tinkerer).getByRole('list', { name: `Messages of ${name}` })).toContainText('waits for demo>');
    await press(tinkerer, 'Star');
    await confirm(tinkerer, `Star ${name}?`, 'Star');
    await expectToast(tinkerer, `${name} starred`);
    await library(tinkerer).getByRole('radio', { name: '4 stars' }).click();
    await expect(library(tinkerer).getByText('Rated 4.0 out of 5, 1 rating')).toBeAttached();
    await press(tinkerer, 'Load');
    await confirm(tinkerer, `Load ${name}?`, 'Load');
    await expectToast(tinkerer, `${name} loaded`);
    await expect(library(tinkerer)).toBeHidden();
    await expect(panel(tinkerer).getByText('by maker')).toBeVisible();
    await expect(panel(tinkerer).getByRole('button', { name: `Unstar ${name}` })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(panel(tinkerer).getByRole('button', { name: /^Update/ })).toHaveCount(0);
    // Other people cannot edit it until they copy it.
    await expect(panel(tinkerer).getByRole('textbox', { name: 'Add a command' })).toHaveCount(0);
    await expect(panel(tinkerer).getByRole('button', { name: /^Copy to my own/ })).toBeVisible();

    await connectDemo(tinkerer);
    await aim(tinkerer, 'Port 1');
    await panel(tinkerer).getByRole('button', { name: 'Run Panel 1' }).click();
    await expect(log(tinkerer)).toContainText('Wirebench demo board');
    await expect(row(tinkerer, 'help')).toContainText('ms');
    await openLibrary(tinkerer, 'My JKits');
    await expect(
      library(tinkerer).getByText('You can only save your own JKits. This JKit belongs to maker.'),
    ).toBeVisible();

    await press(maker, 'Unshare');
    await confirm(maker, `Unshare ${name}?`, 'Unshare');
    await expectToast(maker, `${name} unshared`);
    await search(tinkerer, `${name} `);
    await tinkerer.getByRole('searchbox', { name: 'Search shared JKits' }).fill('');
    await expect(library(tinkerer).getByRole('group', { name: 'Suggested searches' })).toBeVisible();
    await tinkerer.evaluate(() => window.dispatchEvent(new Event('focus')));
    await search(tinkerer, name);
    await expect(library(tinkerer).getByText(`No shared JKit matches “${name}”`)).toBeVisible();

    // Shipped JKits are found from the start, and run on the demo board.
    await openLibrary(maker, 'Explore');
    await press(maker, 'demo');
    await press(maker, /^Demo board/);
    await press(maker, 'Load');
    await confirm(maker, 'Load Demo board: everything it can do?', 'Load');
    await connectDemo(maker);
    await aim(maker, 'Port 1');
    await send(maker, 'i2cscan').click();
    await expect(row(maker, 'i2cscan')).toContainText('ms');
  } finally {
    await removeJkits(maker, name);
  }
});

test('an address with a jkit opens it for a visitor, and says so when it is private', async ({ page, elsewhere }) => {
  test.slow();
  const name = uniqueName('link');
  const maker = await signedIn(await elsewhere(), 'maker');
  try {
    const headers = await bearer(maker);
    const content = JSON.stringify({
      fields: ['help', { content: 'info', repeat: 2, delayMs: 50, expect: 'demo>', timeoutMs: Number(answerTimeout) }],
      settings: { lineEnding: true },
    });
    const answer = await maker.request.post(jkitPaths.jkits, { headers, data: { name, content, shared: true } });
    const { data: jkit } = await answer.json();
    await page.goto(`${pagePaths.uart}?jkit=${jkit._id}`);
    await expect(panel(page).getByText('by maker')).toBeVisible();
    // Shows the line ending of another person's JKit, which cannot be changed.
    await panel(page).getByRole('button', { name: 'Options of Panel 1' }).click();
    const ending = page.getByRole('menuitemcheckbox', { name: 'End lines with CRLF' });
    await expect(ending).toBeChecked();
    await expect(ending).toBeDisabled();
    await page.keyboard.press('Escape');
    await page.reload();
    await expect(panel(page).getByText('by maker')).toBeVisible();
    await expect(page.getByText(/^1 panel, \d+ commands?$/)).toBeVisible();
    await connectDemo(page);
    await aim(page, 'Port 1');
    await panel(page).getByRole('button', { name: 'Run Panel 1' }).click();
    await expect(log(page)).toContainText('Panel 1: PASSED, 1 of 1 checks');

    await maker.request.put(jkitPaths.jkit(jkit._id), { headers, data: { shared: false } });
    const visitor = await elsewhere();
    await visitor.goto(`${pagePaths.uart}?jkit=${jkit._id}`);
    await expect(
      visitor.getByText('Load JKit failed: This JKit does not exist, or it is private.', { exact: true }),
    ).toBeVisible();
    await maker.request.put(jkitPaths.jkit(jkit._id), { headers, data: { shared: true } });
    await visitor.getByRole('button', { name: 'Try again' }).click();
    await expect(row(visitor, 'help')).toBeVisible();
  } finally {
    await removeJkits(maker, name);
  }
});

test('a visitor exports a panel, drops the file onto another, and has no library', async ({ page }) => {
  await openTerminal(page);
  await pin(page, 'help');
  await edit(page, 'help', { 'Wait for': 'demo>' });
  const button = page.getByRole('button', { name: 'JKit library for Panel 1' });
  await expect(button).toBeDisabled();
  await button.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip', { name: 'Please login to use jkits' })).toBeVisible();
  await button.click({ force: true });
  await expect(library(page)).toHaveCount(0);

  const options = page.getByRole('button', { name: 'Options of Panel 1' });
  await options.click();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as a JKit file' }).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('Panel-1.json');
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text).fields).toEqual([{ content: 'help', type: 'ascii', expect: 'demo>', timeoutMs: 1_000 }]);

  await openForm(page, 'help');
  await page.keyboard.press('Escape');
  await expect(send(page, 'help')).toBeFocused();
  await page.getByRole('button', { name: 'Add panel' }).click();
  const dropped = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'board.json', { type: 'application/json' }));
    return transfer;
  }, text);
  await panel(page, 'Panel 2').dispatchEvent('dragover', { dataTransfer: dropped });
  await panel(page, 'Panel 2').dispatchEvent('drop', { dataTransfer: dropped });
  await expectToast(page, 'board.json loaded');
  await expect(row(page, 'help', 'Panel 2')).toContainText('waits for');
  await expect(page.getByRole('region', { name: 'Crashes' })).toHaveCount(0);

  const chosen = page.waitForEvent('filechooser');
  await options.click();
  await page.getByRole('menuitem', { name: 'Import a JKit file' }).click();
  await (await chosen).setFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(
    panel(page).getByRole('alert').filter({ hasText: 'Invalid jkit format - no fields array found' }),
  ).toBeVisible();
  await expect(row(page, 'help')).toBeVisible();
});

test('the open library is without findings, and nothing is wider than the window', async ({ page }) => {
  await openTerminal(page);
  await signIn(page, 'maker');
  for (const [width, height] of [
    [1_440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (width === 390) {
      await showPanels(page);
    }
    await openLibrary(page, 'My JKits');
    await press(page, 'Save this panel');
    await press(page, 'Save');
    await expect(library(page).getByText('Please enter a jkit name')).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await search(page, 'modem');
    const found = library(page).getByRole('listitem').filter({ hasText: /modem/i });
    await found.first().getByRole('button').first().click();
    await expect(library(page).getByRole('radiogroup', { name: 'Your rating' })).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
    await page.keyboard.press('Escape');
    await expect(library(page)).toBeHidden();
  }
});
