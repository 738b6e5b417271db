/** The Screen on a shared bench: guests type key by key, and everybody sees who types. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect } from '../support/test.ts';
import { guest as guestName } from './live-steps.ts';
import { setRight, shareBar, shareWithGuest, test } from './share-steps.ts';
import { log, showMore } from './terminal-steps.ts';

const pane = (page: Page): Locator => page.getByRole('region', { name: /^Screen of / });
/** Text of a screen that has the focus and may type. */
const takesKeys = 'Keys go to Port 1';
const rows = (page: Page): Locator => pane(page).locator('.xterm-rows');

async function show(page: Page, display: 'Screen' | 'Text'): Promise<void> {
  await showMore(page);
  await page.getByRole('radio', { name: display }).check();
}

test('everybody sees who types, the keys go one by one, and none of them is a row in a log', async ({
  page,
  elsewhere,
  visit,
}) => {
  const { guest, link } = await shareWithGuest(page, elsewhere);
  const ann = await visit(link, 'Ann K.');
  await show(page, 'Screen');
  await show(guest, 'Screen');
  await expect(pane(guest)).toContainText('You may watch. Ask to type to send on port 1.');

  await test.step('a guest with the right to type', async () => {
    await setRight(page, guestName, 'Type');
    // Opening the Screen has put the focus into it, so the right alone is missing.
    await expect(pane(guest)).toContainText(takesKeys);
    await guest.keyboard.press('Control+Shift+Enter');
    await expect(pane(guest).getByRole('button', { name: 'Click or Ctrl+Shift+Enter to type' })).toBeVisible();
    await guest.keyboard.press('Control+Shift+Enter');
    await expect(pane(guest)).toContainText(takesKeys);
    await guest.keyboard.type('help');
    await guest.keyboard.press('Enter');
    await expect(pane(page)).toContainText(`${guestName} types on Port 1`);
    await expect.poll(() => ann.remote.status.typists).toEqual([{ port: 1, name: guestName, isYou: false }]);
    await expect(rows(page)).toContainText('restart');
    await expect(rows(guest)).toContainText('restart');
    // Both may type.
    await page.keyboard.press('Control+Shift+Enter');
    await expect(pane(page)).toContainText(takesKeys);
    await guest.keyboard.type('ver');
    await expect(pane(page)).toContainText(`${guestName} types too`);
    await expect(rows(page)).toContainText(/> ver/);
    await page.keyboard.type('sion');
    await page.keyboard.press('Enter');
    await expect(rows(guest)).toContainText('version');
  });

  await test.step('another guest that types is named to the host and to the other guest', async () => {
    await setRight(page, 'Ann K.', 'Type');
    await ann.hasRight(1, 'type');
    await expect(pane(guest)).not.toContainText('Ann K.');
    await ann.remote.typeKeys(1, new TextEncoder().encode('i'));
    await expect(pane(guest)).toContainText(/Ann K\. types (too|on Port 1)/);
  });

  await test.step('a guest that uses the port types, and the keys of the others rest', async () => {
    await setRight(page, guestName, 'Use');
    await guest.getByRole('button', { name: 'Use port 1', exact: true }).first().click();
    await expect(shareBar(page)).toContainText('uses port 1');
    await expect(pane(guest).getByRole('button', { name: 'Click or Ctrl+Shift+Enter to type' })).toBeVisible();
    await pane(guest).locator('.xterm-screen').click();
    await expect(pane(guest)).toContainText(takesKeys);
    await guest.keyboard.type('uptime');
    await guest.keyboard.press('Enter');
    await expect(pane(page)).toContainText(`${guestName} types on Port 1. You see every key. Yours stay here.`);
    await expect(pane(page).getByRole('button', { name: `Take back port 1 from ${guestName}` })).toBeVisible();
    await expect(page.getByText(`Keys rest while ${guestName} types.`)).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Ctrl+C', exact: true })).toBeDisabled();
    await expect(rows(page)).toContainText('uptime');
    expect(await findings(page)).toEqual([]);
    await pane(page)
      .getByRole('button', { name: /^Take back/ })
      .click();
    await expect(pane(page).getByRole('button', { name: 'Click or Ctrl+Shift+Enter to type' })).toBeVisible();
  });

  await test.step('no log has a row for a key, and the logs name the guest', async () => {
    await show(page, 'Text');
    await show(guest, 'Text');
    for (const one of [page, guest]) {
      await expect(log(one)).toContainText('uptime');
      await expect(log(one).locator('[data-direction="sent"]')).toHaveCount(0);
    }
    expect(ann.sent(1)).toBe('');
    await expect(log(page)).toContainText(`${guestName} types on port 1`);
    await expect(log(guest)).toContainText('Ann K. types on port 1');
  });
});
