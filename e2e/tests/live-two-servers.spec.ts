/**
 * A shared bench whose host and guest use different servers, each with its own browser. Only Redis connects the two.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { test as base, expect } from '../support/test.ts';
import { hasRedis, startTwoServers, type TwoServers } from '../support/two-servers.ts';
import { askToWatch, banner } from './live-steps.ts';
import { keepEarlierLines, setRight, shareBar, shareDemo, shareDialog } from './share-steps.ts';
import { exported, log, message, type } from './terminal-steps.ts';

const guestName = 'Priya S.';

const test = base.extend<{ far: Page; near: Page }, { servers: TwoServers }>({
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands the destructuring, also of nothing.
    async ({}, use) => {
      await using servers = await startTwoServers();
      await use(servers);
    },
    { scope: 'worker' },
  ],
  near: async ({ elsewhere, servers }, use) => use(await elsewhere(servers.near)),
  far: async ({ elsewhere, servers }, use) => use(await elsewhere(servers.far)),
});

// Runs in one process with one pair of servers.
test.describe.configure({ mode: 'default' });

test.skip(!hasRedis, 'There is no Redis here: install redis-server or valkey-server.');

/** Shares the host's bench and joins it from the guest's page. */
async function begin({ near, far, servers }: { near: Page; far: Page; servers: TwoServers }): Promise<string> {
  await keepEarlierLines(near);
  const link = await shareDemo(near);
  expect(link).toContain(servers.near);
  await askToWatch(far, link.replace(servers.near, servers.far), guestName);
  await expect(banner(far)).toContainText('maker shares this bench with you.');
  await expect(shareBar(near)).toContainText('Shared with 1 guest');
  return link;
}

/**
 * Checks that the guest has the last bytes of its host. The board's first output was earlier than the guest.
 *
 * @returns Number of bytes that the guest has.
 */
async function expectSameBytes(host: Page, visitor: Page): Promise<number> {
  const received = 'Received bytes of Port 1';
  const [there, here] = [await exported(host, received), await exported(visitor, received)];
  expect(there.bytes.subarray(-here.bytes.length).equals(here.bytes)).toBe(true);
  return here.bytes.length;
}

test('a guest at another server watches, types, uses a port, leaves no trace and can be removed', async ({
  near,
  far,
  servers,
}) => {
  const link = await begin({ near, far, servers });
  await type(near, 'passed-from-the-host');
  await expect(log(far)).toContainText('passed-from-the-host');
  await setRight(near, guestName, 'Type');
  await expect(banner(far)).toContainText('You may type on port 1.');
  await message(far).fill('info');
  await message(far).press('Enter');
  await expect(log(near).locator(`[data-author="typed by ${guestName}"]`)).toContainText('info');
  await expect(log(far)).toContainText('115200 8N1');
  await message(far).fill('passed-from-the-guest');
  await message(far).press('Enter');
  await expect(log(near)).toContainText('passed-from-the-guest');
  await setRight(near, guestName, 'Use');
  await far.getByRole('button', { name: 'Use port 1', exact: true }).first().click();
  await expect(shareBar(near)).toContainText('uses port 1');
  const addresses = [servers.near, servers.far];
  const answers = await Promise.all(addresses.map(async (address) => (await fetch(`${address}/metrics`)).text()));
  expect(answers.join('')).toContain('live');

  await test.step('removed, nothing reaches it any more', async () => {
    await shareBar(near).getByRole('button', { name: 'Share' }).click();
    const carried = servers.wire.sockets.filter(({ isOpen }) => isOpen);
    expect(carried).toHaveLength(1);
    await shareDialog(near)
      .getByRole('button', { name: `Remove ${guestName}` })
      .click();
    await near.keyboard.press('Escape');
    await expect(far.getByText('Your visit was ended').first()).toBeVisible();
    await expect.poll(() => carried[0]?.isOpen).toBe(false);
    await expect(log(near)).toContainText(/Priya S\. does not use port 1 any more.*Port 1 connected/);
    const before = Date.now();
    await type(near, 'load 1000 3');
    await expect(log(near)).toContainText(/load: [\d,]+ lines/);
    expect(carried[0]?.lastByteAt).toBeLessThan(before);
    expect(servers.wire.sockets.filter(({ isOpen }) => isOpen)).toEqual([]);
    await expect(far.getByText('load 1000 3')).toHaveCount(0);
  });

  await test.step('no log, metric or database of either server holds the bytes or the key', async () => {
    await shareBar(near).getByRole('button', { name: 'Stop sharing' }).click();
    await expect(shareBar(near)).toBeHidden();
    const files = readdirSync(servers.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('latin1'));
    expect(stored.join('').length).toBeGreaterThan(10_000);
    const all = [servers.output(), ...answers, ...stored].join('\n');
    expect(all).toContain('/api/live');
    const [, key = ''] = link.split('#');
    expect(key.length).toBeGreaterThan(20);
    for (const secret of [key, guestName, 'passed-from-the-guest', 'passed-from-the-host']) {
      expect(all).not.toContain(secret);
    }
  });
});

test('the host reconnects after a cut without losing bytes, and guests see its tab close', { tag: '@long' }, async ({
  near,
  far,
  servers,
}) => {
  // In this test the host is behind the wire.
  const link = await shareDemo(far);
  await askToWatch(near, link.replace(servers.far, servers.near), guestName);
  await expect(shareBar(far)).toContainText('Shared with 1 guest');
  await setRight(far, guestName, 'Type');
  await expect(message(near)).toHaveAttribute('placeholder', 'Message');
  await message(near).fill('half a comm');

  const mend = servers.wire.cut();
  await expect(shareBar(far)).toContainText(/Connection lost \d+ s ago/);
  await expect(shareBar(far)).toContainText('Trying again. Guests wait.');
  await expect(shareBar(far).getByRole('status')).toContainText('The connection of the shared bench is lost.');
  await expect(near.getByText('The connection of maker is lost.').first()).toBeVisible();
  await expect(message(near)).not.toBeEditable();
  await expect(message(near)).toHaveValue('half a comm');
  await type(far, 'load 10000 3');
  await expect(log(far)).toContainText(/load: [\d,]+ lines/);
  expect(await findings(far)).toEqual([]);
  for (const width of [390, 720, 1_440]) {
    await far.setViewportSize({ width, height: 900 });
    await expectToFit(far);
  }

  mend();
  await expect(shareBar(far)).toContainText('Shared with 1 guest');
  await expect(shareBar(far)).not.toContainText('lost');
  await expect(banner(near)).toContainText('You may type on port 1.');
  await message(near).fill('info');
  await message(near).press('Enter');
  await expect(log(far).locator(`[data-author="typed by ${guestName}"]`)).toContainText('info');
  await expect(log(near)).toContainText('115200 8N1');
  expect(await expectSameBytes(far, near)).toBeGreaterThan(25_000);

  await far.close();
  await expect(near.getByText(/Sharing has ended/).first()).toBeVisible();
  await expect(banner(near).getByRole('button', { name: 'Ask to type' })).toHaveCount(0);
});

// Silences the wire instead of the browser: Chromium set to offline uses a whole core while a WebSocket is open.
test('a guest reconnects after a silent and a broken network, and its host sees both', { tag: '@long' }, async ({
  near,
  far,
  servers,
}) => {
  await begin({ near, far, servers });
  await type(near, 'version');
  await expect(log(far)).toContainText('version');
  const restore = servers.wire.silence();
  await expect(far.getByText('Your connection is lost.').first()).toBeVisible();
  await type(near, 'load 1000 1');
  await expect(log(near)).toContainText(/load: [\d,]+ lines/);
  await far.waitForTimeout(10_000);
  restore();
  await type(near, 'uptime');
  await expect(log(near)).toContainText(/demo> uptime.*demo> $/s);
  await expect(log(far)).toContainText(/demo> uptime.*demo> $/s);
  await expect(banner(far)).toContainText('You may watch port 1.');
  expect(await expectSameBytes(near, far)).toBeGreaterThan(1_000);

  await setRight(near, guestName, 'Use');
  await far.getByRole('button', { name: 'Use port 1', exact: true }).first().click();
  await expect(shareBar(near)).toContainText('uses port 1');
  const mend = servers.wire.cut();
  await expect(shareBar(near)).toContainText(/connection lost \d+ s ago/);
  await expect(shareBar(near).getByRole('status')).toContainText(`The connection of ${guestName} is lost.`);
  await expect(near.getByText('The connection of this guest is lost.')).toBeVisible();
  await shareBar(near).getByRole('button', { name: 'Share' }).click();
  await expect(shareDialog(near).getByRole('rowheader', { name: guestName })).toContainText('connection lost');
  expect(await findings(near)).toEqual([]);
  await near.keyboard.press('Escape');
  await near.setViewportSize({ width: 900, height: 900 });
  await expect(shareBar(near)).toContainText('connection lost');
  await expectToFit(near);
  await near.setViewportSize({ width: 390, height: 844 });
  await expect(shareBar(near).getByRole('button', { name: '1 away' })).toBeVisible();
  await expectToFit(near);
  mend();
  await expect(shareBar(near).getByRole('button', { name: '1 away' })).toBeHidden();

  await shareBar(near).getByRole('button', { name: 'Stop sharing' }).click();
  await expect(far.getByText(/Sharing has ended/).first()).toBeVisible();
});
