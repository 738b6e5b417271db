/** A visit from its link to its end in small windows: what happened, and what to do, is in sight each time. */
import type { Locator, Page } from '@playwright/test';
import { livePage } from '@wirebench/contract';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { askToWatch, banner, guest, openLink, test } from './live-steps.ts';
import { log, type } from './terminal-steps.ts';

const sizes = [
  { width: 390, height: 844 },
  { width: 720, height: 450 },
] as const;

test.use({ viewport: sizes[0] });

/** In each of the windows, from the second one back to the first. */
async function inEach(page: Page, look: () => Promise<void>): Promise<void> {
  for (const size of sizes.toReversed()) {
    await page.setViewportSize(size);
    await look();
    await expectToFit(page);
  }
}

const inSight = (page: Page, ...parts: readonly (string | Locator)[]): Promise<void> =>
  inEach(page, async () => {
    for (const part of parts) {
      const shown = typeof part === 'string' ? page.getByText(part).first() : part;
      await expect(shown).toBeInViewport({ ratio: 1 });
    }
  });

test('a guest asks, types, uses the port, waits for the host, and is told of the end', async ({ page, bench }) => {
  const port = page.getByRole('button', { name: 'Port 1', exact: true });
  const console = page.getByRole('button', { name: 'Console', exact: true });
  await openLink(page, bench.link);
  await inSight(page, 'You may watch port 1.');
  await page.getByRole('button', { name: 'Ask to type' }).click();
  await expect.poll(() => bench.asked(guest)).toBe('type');
  const asked = page.getByRole('button', { name: 'Asked to type…' });
  await inEach(page, () => expect(asked).toBeInViewport());
  await bench.setRight(guest, 'type');
  await inSight(page, 'You may type on port 1.');
  await type(page, 'uptime');
  await expect(log(page)).toContainText('uptime');

  await port.click();
  await page.getByRole('button', { name: 'Ask to use port 1' }).click();
  await expect.poll(() => bench.asked(guest)).toBe('use');
  await bench.setRight(guest, 'use');
  await page.getByRole('button', { name: 'Use port 1', exact: true }).click();
  await inEach(page, () => expect(page.getByRole('switch', { name: 'DTR' })).toBeVisible());
  await page.getByRole('button', { name: 'Give port 1 back' }).click();
  await expect(page.getByRole('button', { name: 'Use port 1', exact: true })).toBeVisible();
  await console.click();

  bench.setNetwork(false);
  // The log says it first, while the line below the ports still has what the guest may do.
  await expect(banner(page)).toHaveCount(0);
  await inSight(page, 'The connection of mira.k is lost.');
  await inSight(page, 'Waiting for it to come back.');
  bench.setNetwork(true);
  await inSight(page, 'You may use port 1.');

  bench.host.stop();
  await inSight(page, 'Sharing has ended.');
  await inSight(page, 'To go on, ask for a new link.');
  await page.reload();
  await inSight(page, 'No bench is shared at this link');
  await inSight(page, 'Ask for a new link.');
  await inSight(page, page.getByRole('button', { name: 'Open the link again' }));
});

test('a link that leads nowhere says what to do', async ({ page, bench }) => {
  const [address = '', key = ''] = bench.link.split('#');
  const says = (name: string, remedy: string) => inSight(page, page.getByRole('heading', { name }), remedy);
  await page.goto(livePage);
  await says('This link is not complete', 'Ask whoever shared it for the link');
  await page.goto(address);
  await says('This link has lost its key', 'Ask whoever shared it for the link');
  await page.goto('/');
  await askToWatch(page, `${address}#${key.slice(0, 4)}${key[4] === 'A' ? 'B' : 'A'}${key.slice(5)}`);
  await says('The key in this link does not fit', 'Ask whoever shared it for the link');
  await page.goto('/');
  // No server has made this room.
  await page.goto(`${livePage}?id=${'A'.repeat(22)}#${key}`);
  await says('No bench is shared at this link', 'Ask for a new link.');
});

test('who is sent away or leaves can come back', async ({ page, bench }) => {
  await openLink(page, bench.link);
  await expect.poll(() => bench.host.status.guests.length).toBe(1);
  bench.expel(guest);
  await inSight(page, 'Ask before you open the link again.');
  await page.getByRole('button', { name: 'Open the link again' }).click();
  await expect(banner(page)).toContainText('You may watch port 1.');
  await page.getByRole('button', { name: 'Leave' }).click();
  await inSight(page, 'The link still works as long as the bench is shared.');
});
