/** A shared bench with a browser at either end: each sees the other's actions, without accessibility findings. */
import type { Locator } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { guest as guestName, sayWho } from './live-steps.ts';
import { keepEarlierLines, setRight, shareBar, shareDemo, shareDialog, shareWithGuest } from './share-steps.ts';
import { exported, log, message, prompt, type } from './terminal-steps.ts';

test('a guest watches, asks, types and uses a port, and the host takes it back and stops', async ({
  page,
  elsewhere,
}) => {
  await keepEarlierLines(page);
  const link = await shareDemo(page);
  const guest = await elsewhere();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'A bench is shared with you' })).toBeVisible();
  expect(await findings(guest)).toEqual([]);
  await sayWho(guest, guestName);
  const banner = guest.getByRole('region', { name: 'Shared bench' });
  await expect(banner).toContainText('maker shares this bench with you.');
  await expect(shareBar(page)).toContainText('Shared with 1 guest');

  await type(page, 'version');
  await expect(log(guest)).toContainText('version');
  await expect(log(guest)).toContainText(prompt);
  expect(await findings(guest)).toEqual([]);
  // A guest cannot share another person's bench.
  await expect(guest.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0);

  await test.step('one button asks to type in each window, also beside the settings of the port', async () => {
    const asks = guest.getByRole('button', { name: 'Ask to type' });
    for (const [width, height] of [
      [1_440, 900],
      [1_024, 768],
      [390, 844],
      [720, 450],
    ] as const) {
      await guest.setViewportSize({ width, height });
      await expect(asks).toHaveCount(1);
      await expect(asks).toBeInViewport();
    }
    await guest.setViewportSize({ width: 1_024, height: 768 });
    await guest.getByRole('button', { name: 'Settings of port 1' }).click();
    await expect(guest.getByRole('dialog', { name: 'Port 1 settings' })).toBeVisible();
    await expect(asks).toHaveCount(1);
    await guest.keyboard.press('Escape');
    await guest.setViewportSize({ width: 1_440, height: 900 });
  });
  await banner.getByRole('button', { name: 'Ask to type' }).click();
  await shareBar(page).getByRole('button', { name: 'Allow Priya S.' }).click();
  await expect(banner).toContainText('You may type on port 1.');
  await message(guest).fill('info');
  await message(guest).press('Enter');
  await expect(log(page).locator('[data-author="typed by Priya S."]')).toContainText('info');
  await expect(log(guest).locator('[data-author="typed by Priya S."]')).toContainText('info');
  await expect(log(guest)).toContainText('115200 8N1');
  // Lines wrap, so that the author at the end of a row is in view.
  const author = log(page).locator('[data-author="typed by Priya S."]');
  const rightEdge = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().right);
  expect(await rightEdge(author)).toBeLessThanOrEqual(await rightEdge(log(page)));

  await setRight(page, 'Priya S.', 'Use');
  await guest.getByRole('button', { name: 'Use port 1', exact: true }).first().click();
  await expect(shareBar(page)).toContainText('uses port 1');
  await guest.getByRole('button', { name: 'Settings of port 1' }).click();
  await expect(guest.getByRole('switch', { name: 'DTR' })).toBeVisible();
  expect(await findings(guest)).toEqual([]);
  await guest.keyboard.press('Escape');
  await expect(page.getByText('1 of 4 ports open, shared')).toBeVisible();
  await shareBar(page).getByRole('button', { name: 'Take back' }).click();
  await expect(banner).toContainText('You may type on port 1.');
  await type(page, 'help');
  await expect(log(guest)).toContainText('restart');
  await expect(log(guest)).toContainText(prompt);
  const received = 'Received bytes of Port 1';
  const [there, here] = [await exported(page, received), await exported(guest, received)];
  expect(here.bytes.length).toBeGreaterThan(1_000);
  // The board's first output was earlier than the guest.
  expect(there.bytes.subarray(-here.bytes.length).equals(here.bytes)).toBe(true);

  await test.step('a guest that comes again has the lines from before, and a flasher without asking again', async () => {
    await expect(log(guest)).not.toContainText('From here on you see what passes now.');
    await shareBar(page).getByRole('button', { name: 'Share' }).click();
    await shareDialog(page).getByRole('switch', { name: 'Guests see the last 500 lines' }).click();
    await page.keyboard.press('Escape');
    await guest.reload();
    await expect(log(guest)).toContainText('From here on you see what passes now.');
    await expect(log(guest)).toContainText('restart');
    await expect(banner).toContainText('You may type on port 1.');
    await setRight(page, guestName, 'Use');
    await expect(banner).toContainText('You may use port 1.');
    const { searchParams, hash } = new URL(link);
    const flasher = await guest.context().newPage();
    await flasher.goto(`${staticPages.espFlasher}?live=${searchParams.get('id')}${hash}`);
    await expect(flasher.getByRole('button', { name: 'Connect Port 1' })).toBeEnabled();
    await expect(flasher.getByText('maker shares these boards with you.')).toBeVisible();
    await expect(flasher.getByRole('button', { name: 'Open the link' })).toHaveCount(0);
    expect(await findings(flasher)).toEqual([]);
    await flasher.close();
  });

  await shareBar(page).getByRole('button', { name: 'Stop sharing' }).click();
  await expect(guest.getByText(/Sharing has ended/).first()).toBeVisible();
});

test('the host and its guests see only the length of what a guest hides', async ({ page, elsewhere }) => {
  const { guest } = await shareWithGuest(page, elsewhere);
  await setRight(page, guestName, 'Type');
  await expect(message(guest)).toBeEditable();
  await guest.getByRole('button', { name: /^Send options/ }).click();
  await guest.getByRole('checkbox', { name: /^Hide input/ }).check();
  await guest.keyboard.press('Escape');
  await message(guest).fill('hunter2');
  await message(guest).press('Enter');
  for (const shown of [log(page), log(guest)]) {
    const sent = shown.locator('[data-author="typed by Priya S."]');
    await expect(sent).toContainText('hidden, 8 bytes');
    await expect(sent).not.toContainText('hunter2');
  }
  expect(await guest.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('hunter2');
});

test('the host and its guests do not see what either answers to a prompt for a password', async ({
  page,
  elsewhere,
}) => {
  const { guest } = await shareWithGuest(page, elsewhere);
  await setRight(page, guestName, 'Type');
  await expect(message(guest)).toBeEditable();
  for (const [side, answer] of [
    [guest, 'hunter2'],
    [page, 'hunter3'],
  ] as const) {
    await type(page, 'login');
    for (const one of [page, guest]) {
      await expect(one.getByText('Hidden: password.').filter({ visible: true })).toBeVisible();
    }
    await message(side).fill(answer);
    expect(await findings(side)).toEqual([]);
    await message(side).press('Enter');
    for (const one of [page, guest]) {
      await expect(one.getByText('Hidden: password.').filter({ visible: true })).toHaveCount(0);
    }
  }
  for (const shown of [log(page), log(guest)]) {
    await expect(shown.getByText('hidden, 8 bytes')).toHaveCount(2);
    await expect(shown).not.toContainText('hunter');
  }
  for (const one of [page, guest]) {
    expect(await one.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('hunter');
  }
});
