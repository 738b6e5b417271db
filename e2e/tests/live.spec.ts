/**
 * A shared bench seen by its guests. The host and its board are in this process, the relay is the product's own. In
 * small windows each event and its remedy must be visible. `live-page.test.tsx` covers a guest's actions on a port.
 */
import type { Locator, Page } from '@playwright/test';
import { livePage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { askToWatch, banner, guest, openLink, test } from './live-steps.ts';
import { log, prompt, type } from './terminal-steps.ts';

const phone = { width: 390, height: 844 };
const low = { width: 720, height: 450 };

test.use({ viewport: phone });

/** Checks each window size, the phone last. */
async function inEach(page: Page, look: () => Promise<void>): Promise<void> {
  for (const size of [low, phone]) {
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

test('a visit from links that lead nowhere to the end of sharing, in small windows', async ({
  page,
  bench,
  context,
}) => {
  const port = page.getByRole('button', { name: 'Settings of port 1' });
  const close = page.getByRole('button', { name: 'Close the settings' });
  const guests = () => bench.host.status.guests.length;

  await test.step('links that lead nowhere say what to do', async () => {
    const [address = '', key = ''] = bench.link.split('#');
    const says = (name: string, remedy: string) => inSight(page, page.getByRole('heading', { name }), remedy);
    await page.goto(livePage);
    await says('This link is not complete', 'Ask whoever shared it for the link');
    await page.goto(address);
    await says('This link has lost its key', 'Ask whoever shared it for the link');
    // A change of the hash alone does not load a page.
    await page.goto('about:blank');
    await askToWatch(page, `${address}#${key.slice(0, 4)}${key[4] === 'A' ? 'B' : 'A'}${key.slice(5)}`);
    await says('The key in this link does not fit', 'Ask whoever shared it for the link');
    await page.goto('about:blank');
    // This room does not exist on any server; the guest's name is remembered.
    await page.goto(`${livePage}?id=${'A'.repeat(22)}#${key}`);
    await says('No bench is shared at this link', 'Ask for a new link.');
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
  });

  await test.step('a guest asks, types, and uses the port', async () => {
    await openLink(page, bench.link);
    await page.setViewportSize(low);
    const height = await log(page).evaluate((element) => element.clientHeight);
    expect(Math.floor(height / 25)).toBeGreaterThanOrEqual(8);
    await bench.type('help\r');
    await expect(log(page)).toContainText(prompt);
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
    await expect(page.getByRole('heading', { name: 'Here now' })).toBeVisible();
    await expectToFit(page);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Ask to use port 1' }).click();
    await expect.poll(() => bench.asked(guest)).toBe('use');
    await bench.setRight(guest, 'use');
    await page.getByRole('button', { name: 'Use port 1', exact: true }).click();
    await inEach(page, async () => {
      if (!(await close.isVisible())) {
        await port.click();
      }
      await expect(page.getByRole('switch', { name: 'DTR' })).toBeVisible();
    });
    await page.getByRole('button', { name: 'Give port 1 back' }).first().click();
    await expect(page.getByRole('button', { name: 'Use port 1', exact: true })).toBeVisible();
    await close.click();
  });

  await test.step('a guest waits for the host', async () => {
    bench.setNetwork(false);
    // The log reports the loss before the line below the ports, which still shows the guest's rights.
    await expect(banner(page)).toHaveCount(0);
    await inSight(page, 'The connection of mira.k is lost.');
    await inSight(page, 'Waiting for it to come back.');
    bench.setNetwork(true);
    await inSight(page, 'You may use port 1.');
  });

  await test.step('a guest that was sent away or left can return', async () => {
    await expect.poll(guests).toBe(1);
    bench.expel(guest);
    await inSight(page, 'Ask before you open the link again.');
    await page.getByRole('button', { name: 'Open the link again' }).click();
    await expect(banner(page)).toContainText('You may watch port 1.');
    await page.getByRole('button', { name: 'Leave' }).click();
    await inSight(page, 'The link still works as long as the bench is shared.');
    await page.getByRole('button', { name: 'Open the link again' }).click();
    await expect(banner(page)).toContainText('You may watch port 1.');
  });

  await test.step('two tabs of one browser are two guests, and each leaves for itself', async () => {
    const other = await context.newPage();
    await other.goto(bench.link);
    await expect(banner(other)).toContainText('You may watch port 1.');
    await expect.poll(guests).toBe(2);
    await port.click();
    await expect(page.getByRole('dialog').getByText(`${guest}, you`)).toHaveCount(1);
    await banner(other).getByRole('button', { name: 'Leave' }).click();
    await expect(other.getByText('You have left the shared bench.').first()).toBeVisible();
    await expect.poll(guests).toBe(1);
    await page.reload();
    await expect(banner(page)).toContainText('You may watch port 1.');
    await expect.poll(guests).toBe(1);
  });

  await test.step('a guest sees the end of sharing', async () => {
    bench.host.stop();
    await inSight(page, 'Sharing has ended.');
    await inSight(page, 'To go on, ask for a new link.');
    await page.reload();
    await inSight(page, 'No bench is shared at this link');
    await inSight(page, 'Ask for a new link.');
    await inSight(page, page.getByRole('button', { name: 'Open the link again' }));
  });
});
