/** Misuse of a shared bench through the product's own server. */
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { askToWatch } from './live-steps.ts';
import { share, shareBar, shareDemo, shareDialog, test } from './share-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { log, startDemo, type } from './terminal-steps.ts';

test('names that turn writing around or have no end are one short line on either side, and a link is read with what a mail program has left behind it', async ({
  page,
  elsewhere,
  visit,
}) => {
  await startDemo(page);
  await signIn(page, 'maker');
  await page.getByRole('textbox', { name: 'Name' }).first().fill('\u202Eyawetag\u2066 3S');
  const link = await share(page);
  const long = await visit(link, `\u202E${'<b>N</b>'.repeat(1_250)}`);
  await expect(shareBar(page)).toContainText('<b>N</b>');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await shareBar(page).getByRole('button', { name: 'Share' }).click();
  const name = await shareDialog(page).getByRole('rowheader').locator('b').textContent();
  expect(name).toMatch(/^(<b>N<\/b>){9}/);
  expect((name ?? '').length).toBeLessThanOrEqual(80);
  await expectToFit(page);
  expect(long.remote.status.ports.map((port) => port.name)).toEqual(['yawetag 3S']);

  const guest = await elsewhere();
  await guest.setViewportSize({ width: 390, height: 844 });
  await guest.goto(link.slice(0, -20));
  await expect(guest.getByRole('heading', { name: 'This link has lost its key' })).toBeVisible();
  // A change of the hash alone does not load a page.
  await guest.goto('about:blank');
  // The browser percent-encodes this character; `share-link.test.ts` covers others.
  await askToWatch(guest, `${link}”`);
  await expect(guest.getByRole('region', { name: 'Shared bench' })).toContainText('You may watch port 1.');
  await guest.getByRole('button', { name: 'Settings of port 1' }).click();
  await expect(guest.getByText('yawetag 3S').first()).toBeVisible();
  await expect(guest.getByRole('heading', { name: 'Here now' })).toBeVisible();
  await expectToFit(guest);
  expect(await findings(guest)).toEqual([]);
});

test('two tabs of one person share each its own bench, and one that stops leaves the other', async ({
  page,
  context,
  visit,
}) => {
  const first = await shareDemo(page);
  const other = await context.newPage();
  await startDemo(other);
  const second = await share(other);
  expect(second).not.toBe(first);
  const ada = await visit(first, 'Ada');
  const bob = await visit(second, 'Bob');
  await expect(shareBar(page)).toContainText('Shared with 1 guest');
  await expect(shareBar(other)).toContainText('Shared with 1 guest');
  await type(page, 'version');
  await expect.poll(() => ada.sent(1)).toContain('version');
  await shareBar(page).getByRole('button', { name: 'Stop sharing' }).click();
  await ada.ended('ended');
  await type(other, 'info');
  await expect(log(other)).toContainText('115200 8N1');
  await expect.poll(() => bob.received(1)).toContain('115200 8N1');
  expect(bob.sent(1)).not.toContain('version');
  await expect(shareBar(other)).toContainText('Shared with 1 guest');
});
