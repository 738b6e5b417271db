/** A bench that somebody shares, as its guests have it: the host and its board are in this process, the relay is the product's own. */
import { createHash } from 'node:crypto';
import { livePage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { askToWatch, banner, guest, openLink, test } from './live-steps.ts';
import { exported, log, message, prompt, type } from './terminal-steps.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a guest watches: lines, find, hex, and an export with every byte', async ({ page, bench }) => {
  await openLink(page, bench.link);
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toContainText('115200 8N1 · remote');
  await expect(page.getByRole('tab', { name: /Port 2/ })).toContainText('Not shared');
  const from = bench.bytes.length;
  await bench.type('help\r');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await expect(log(page)).toContainText(prompt);
  await page.getByRole('textbox', { name: 'Find in the console' }).fill('I2C');
  await expect(page.getByText('1 found')).toBeVisible();
  await page.getByRole('textbox', { name: 'Find in the console' }).fill('');
  await page.getByRole('radio', { name: 'Hex', exact: true }).check({ force: true });
  await expect(log(page)).toContainText('64 65 6D 6F 3E 20');
  const file = await exported(page, 'Received bytes of S3 gateway');
  expect(sha256(file.bytes)).toBe(sha256(bench.bytes.subarray(from)));
});

test('a guest asks to type, is refused, asks again and types; then the right is taken back', async ({
  page,
  bench,
}) => {
  await openLink(page, bench.link);
  await expect(message(page)).toHaveAttribute('placeholder', 'You may watch. Ask to type to send on port 1.');
  await banner(page).getByRole('button', { name: 'Ask to type' }).click();
  await expect(banner(page).getByRole('button', { name: 'Asked to type…' })).toBeVisible();
  await expect.poll(() => bench.asked(guest)).toBe('type');
  const id = bench.host.status.guests[0]?.id ?? '';
  bench.host.refuse(id, 1);
  await expect(log(page)).toContainText('mira.k has not given you the right to type on port 1.');
  await banner(page).getByRole('button', { name: 'Ask to type' }).click();
  await expect.poll(() => bench.asked(guest)).toBe('type');
  await bench.setRight(guest, 'type');
  await expect(banner(page)).toContainText('You may type on port 1.');
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await expect(log(page).locator('[data-direction="sent"]')).toHaveCount(1);
  await bench.setRight(guest, 'watch');
  await expect(log(page)).toContainText('mira.k has taken back the right to type on port 1. You may watch it.');
  await expect(message(page)).toHaveAttribute('placeholder', 'You may watch. Ask to type to send on port 1.');
});

test('a guest uses the port: opens it at another rate, sets its lines, resets the board, and gives it back', async ({
  page,
  bench,
}) => {
  await openLink(page, bench.link);
  await bench.setRight(guest, 'use');
  await banner(page).getByRole('button', { name: 'Use port 1', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Give port 1 back' }).first()).toBeVisible();
  await page.getByRole('switch', { name: 'DTR' }).click();
  await expect(page.getByRole('switch', { name: 'DTR' })).not.toBeChecked();
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await page.getByRole('button', { name: 'Reset board' }).click();
  await expect(log(page)).toContainText('Asked the board on Port 1 to restart');
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('9600');
  await page.getByRole('button', { name: 'Reopen now' }).click();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toContainText('9600 8N1');
  await page.getByRole('button', { name: 'Give port 1 back' }).first().click();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toContainText('115200 8N1 · remote');
  await expect(banner(page).getByRole('button', { name: 'Use port 1', exact: true })).toBeVisible();
});

test('a port that is unplugged, comes back and changes its rate says so as at a local port', async ({
  page,
  bench,
}) => {
  await openLink(page, bench.link);
  await bench.unplug();
  await expect(log(page)).toContainText('Device disconnected from Port 1');
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toContainText('No board there');
  await bench.replug();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toContainText('115200 8N1 · remote');
  await bench.close();
  await expect(page.getByRole('tab', { name: /S3 gateway/ })).toContainText('Closed there');
  await bench.open({ baudRate: 9_600 });
  await expect(log(page)).toContainText('Port 1 connected (9600 8N1)');
});

test('a guest who is expelled, and one whose host stops, is told at once; the log stays', async ({ page, bench }) => {
  await openLink(page, bench.link);
  await bench.type('help\r');
  await expect(log(page)).toContainText(prompt);
  await expect.poll(() => bench.host.status.guests.length).toBe(1);
  bench.expel(guest);
  await expect(page.getByText('Your visit was ended.').first()).toBeVisible();
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await page.getByRole('button', { name: 'Open the link again' }).click();
  await expect(banner(page)).toContainText('You may watch port 1.');
  bench.host.stop();
  await expect(page.getByText('Sharing has ended.').first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No bench is shared at this link' })).toBeVisible();
});

test("the host's network is cut for ten seconds: what a guest exports is what the host has", async ({
  page,
  bench,
}) => {
  await openLink(page, bench.link);
  const from = bench.bytes.length;
  bench.feed(Buffer.from('before the cut\r\n'));
  await expect(log(page)).toContainText('before the cut');
  bench.setNetwork(false);
  await expect(page.getByText('The connection of mira.k is lost.').first()).toBeVisible();
  for (let line = 0; line < 100; line++) {
    bench.feed(Buffer.from(`line ${line} of what passed meanwhile\r\n`));
    await page.waitForTimeout(100);
  }
  bench.setNetwork(true);
  bench.feed(Buffer.from('after the cut\r\n'));
  await expect(log(page)).toContainText('after the cut');
  await expect(banner(page)).toBeVisible();
  const file = await exported(page, 'Received bytes of S3 gateway');
  expect(sha256(file.bytes)).toBe(sha256(bench.bytes.subarray(from)));
});

test('two tabs of one browser are two guests, and each leaves for itself', async ({ page, bench, context }) => {
  await openLink(page, bench.link);
  const other = await context.newPage();
  await other.goto(bench.link);
  await expect(banner(other)).toContainText('You may watch port 1.');
  await expect.poll(() => bench.host.status.guests.length).toBe(2);
  await expect(page.getByRole('complementary').getByText(`${guest}, you`)).toHaveCount(1);
  await banner(other).getByRole('button', { name: 'Leave' }).click();
  await expect(other.getByText('You have left the shared bench.').first()).toBeVisible();
  await expect.poll(() => bench.host.status.guests.length).toBe(1);
  await page.reload();
  await expect(banner(page)).toContainText('You may watch port 1.');
});

test('links that lead nowhere say what is wrong with them', async ({ page, bench }) => {
  await page.goto(livePage);
  await expect(page.getByRole('heading', { name: 'This link is not complete' })).toBeVisible();
  const [address = ''] = bench.link.split('#');
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This link has lost its key' })).toBeVisible();
  const key = bench.link.split('#')[1] ?? '';
  const other = `${key.slice(0, 4)}${key[4] === 'A' ? 'B' : 'A'}${key.slice(5)}`;
  await page.goto('/');
  await askToWatch(page, `${address}#${other}`);
  await expect(page.getByRole('heading', { name: 'The key in this link does not fit' })).toBeVisible();
});

test('the page of a guest is without findings, asked for a name, watching and using', async ({ page, bench }) => {
  await page.goto(bench.link);
  await expect(page.getByRole('heading', { name: 'A bench is shared with you' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await openLink(page, bench.link);
  await bench.type('help\r');
  await expect(log(page)).toContainText(prompt);
  expect(await findings(page)).toEqual([]);
  await bench.setRight(guest, 'use');
  await banner(page).getByRole('button', { name: 'Use port 1', exact: true }).click();
  await expect(page.getByRole('switch', { name: 'DTR' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a phone shows the console, the rights, and how to ask for more', async ({ page, bench }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openLink(page, bench.link);
  await bench.type('help\r');
  await expect(log(page)).toContainText(prompt);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Ask to type' }).click();
  await expect.poll(() => bench.asked(guest)).toBe('type');
  await bench.setRight(guest, 'type');
  await type(page, 'uptime');
  await expect(log(page)).toContainText('uptime');
  await page.getByRole('button', { name: 'Port 1', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Here now' })).toBeVisible();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});

test('a low window still shows eight lines', async ({ page, bench }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await openLink(page, bench.link);
  const height = await log(page).evaluate((element) => element.clientHeight);
  expect(Math.floor(height / 25)).toBeGreaterThanOrEqual(8);
});
