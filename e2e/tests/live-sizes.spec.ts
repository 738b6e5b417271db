/** A visit from its link to its end in small windows: what happened, and what to do, is in sight each time. */
import { livePage } from '@wirebench/contract';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { askToWatch, banner, guest, openLink, test } from './live-steps.ts';
import { log, type } from './terminal-steps.ts';

for (const [width, height] of [
  [390, 844],
  [720, 450],
] as const) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });

    test('a guest asks, types, uses the port, waits for the host, and is told of the end', async ({ page, bench }) => {
      const port = page.getByRole('button', { name: 'Port 1', exact: true });
      const console = page.getByRole('button', { name: 'Console', exact: true });
      const inSight = async (text: string) => {
        await expect(page.getByText(text).first()).toBeInViewport({ ratio: 1 });
        await expectToFit(page);
      };
      await openLink(page, bench.link);
      await inSight('You may watch port 1.');
      await page.getByRole('button', { name: 'Ask to type' }).click();
      await expect.poll(() => bench.asked(guest)).toBe('type');
      await expect(page.getByRole('button', { name: 'Asked to type…' })).toBeInViewport();
      await bench.setRight(guest, 'type');
      await inSight('You may type on port 1.');
      await type(page, 'uptime');
      await expect(log(page)).toContainText('uptime');

      await port.click();
      await page.getByRole('button', { name: 'Ask to use port 1' }).click();
      await expect.poll(() => bench.asked(guest)).toBe('use');
      await bench.setRight(guest, 'use');
      await page.getByRole('button', { name: 'Use port 1', exact: true }).click();
      await expect(page.getByRole('switch', { name: 'DTR' })).toBeVisible();
      await expectToFit(page);
      await page.getByRole('button', { name: 'Give port 1 back' }).click();
      await expect(page.getByRole('button', { name: 'Use port 1', exact: true })).toBeVisible();
      await console.click();

      bench.setNetwork(false);
      // The log says it first, while the line below the ports still has what the guest may do.
      await expect(banner(page)).toHaveCount(0);
      await inSight('The connection of mira.k is lost.');
      await inSight('Waiting for it to come back.');
      bench.setNetwork(true);
      await inSight('You may use port 1.');

      bench.host.stop();
      await inSight('Sharing has ended.');
      await inSight('To go on, ask for a new link.');
      await page.reload();
      await inSight('No bench is shared at this link');
      await inSight('Ask for a new link.');
      await expect(page.getByRole('button', { name: 'Open the link again' })).toBeInViewport({ ratio: 1 });
    });

    test('a link that leads nowhere says what to do', async ({ page, bench }) => {
      const [address = '', key = ''] = bench.link.split('#');
      const inSight = async (name: string, remedy: string) => {
        await expect(page.getByRole('heading', { name })).toBeInViewport({ ratio: 1 });
        await expect(page.getByText(remedy).first()).toBeInViewport({ ratio: 1 });
        await expectToFit(page);
      };
      await page.goto(livePage);
      await inSight('This link is not complete', 'Ask whoever shared it for the link');
      await page.goto(address);
      await inSight('This link has lost its key', 'Ask whoever shared it for the link');
      await page.goto('/');
      await askToWatch(page, `${address}#${key.slice(0, 4)}${key[4] === 'A' ? 'B' : 'A'}${key.slice(5)}`);
      await inSight('The key in this link does not fit', 'Ask whoever shared it for the link');
      await page.goto('/');
      // No server has made this room.
      await page.goto(`${livePage}?id=${'A'.repeat(22)}#${key}`);
      await inSight('No bench is shared at this link', 'Ask for a new link.');
    });

    test('who is sent away or leaves can come back', async ({ page, bench }) => {
      await openLink(page, bench.link);
      await expect.poll(() => bench.host.status.guests.length).toBe(1);
      bench.expel(guest);
      await expect(page.getByText('Ask before you open the link again.').first()).toBeInViewport({ ratio: 1 });
      await expectToFit(page);
      await page.getByRole('button', { name: 'Open the link again' }).click();
      await expect(banner(page)).toContainText('You may watch port 1.');
      await page.getByRole('button', { name: 'Leave' }).click();
      await expect(page.getByText('The link still works as long as the bench is shared.').first()).toBeInViewport({
        ratio: 1,
      });
      await expectToFit(page);
    });
  });
}
