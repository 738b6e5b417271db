/** A person's actions for sharing a bench, and a guest without a page. */
import type { Locator, Page } from '@playwright/test';
import { systemClock } from '@wirebench/clock';
import { dialSocket, parseShareLink, RemoteGuest } from '@wirebench/remote';
import { test as base, expect } from '../support/test.ts';
import { guest as guestName, sayWho } from './live-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { showMore, startDemo } from './terminal-steps.ts';

export const shareDialog = (page: Page) => page.getByRole('dialog', { name: 'Share this bench' });

export const shareBar = (page: Page) => page.getByRole('region', { name: 'Shared bench' });

export async function openShareDialog(page: Page): Promise<void> {
  await showMore(page);
  await page.getByRole('toolbar', { name: 'Console', exact: true }).getByRole('button', { name: 'Share' }).click();
  await expect(shareDialog(page)).toBeVisible();
}

/** Keeps lines from before their visit from guests, as a host who has switched them off in this browser. */
export const keepEarlierLines = (page: Page) =>
  page.addInitScript(() => {
    if (location.protocol.startsWith('http')) {
      localStorage.setItem('wirebench.share-earlier-lines', 'off');
    }
  });

/**
 * Shares the bench of a signed-in person and closes the dialog.
 *
 * @returns The link.
 */
export async function share(page: Page): Promise<string> {
  await openShareDialog(page);
  return makeLink(page);
}

/**
 * Signs in and shares a demo board on port 1.
 *
 * @returns The link.
 */
export async function shareDemo(page: Page): Promise<string> {
  await startDemo(page);
  await signIn(page, 'maker');
  return share(page);
}

/**
 * Shares a demo board, and joins as a guest in another browser.
 *
 * @returns The guest's page, and the link.
 */
export async function shareWithGuest(
  page: Page,
  elsewhere: () => Promise<Page>,
): Promise<{ guest: Page; link: string }> {
  const link = await shareDemo(page);
  const guest = await elsewhere();
  await guest.goto(link);
  await sayWho(guest, guestName);
  await expect(shareBar(page)).toContainText('Shared with 1 guest');
  return { guest, link };
}

/**
 * Makes a link in the open dialog, and closes the dialog.
 *
 * @returns The link.
 */
export async function makeLink(page: Page): Promise<string> {
  await shareDialog(page).getByRole('button', { name: 'Make a link' }).click();
  await expect(shareBar(page)).toContainText('Shared, no guest yet');
  const link = await shownLink(page);
  await page.keyboard.press('Escape');
  await expect(shareDialog(page)).toBeHidden();
  return link;
}

/** Returns the link shown in the dialog. */
export async function shownLink(page: Page): Promise<string> {
  const shown = shareDialog(page).locator('p[title]');
  await expect(shown).toBeVisible();
  return (await shown.getAttribute('title')) ?? '';
}

/** Sets a guest's right on a port, in the dialog opened from the bar. */
export async function setRight(page: Page, guest: string, right: 'Watch' | 'Type' | 'Use', port = 1): Promise<void> {
  await shareBar(page).getByRole('button', { name: 'Share' }).click();
  await shareDialog(page)
    .getByRole('combobox', { name: `${guest}, port ${port}` })
    .selectOption(right);
  await page.keyboard.press('Escape');
}

/** A guest with the link, over a WebSocket of this process. */
class Guest {
  readonly remote: RemoteGuest;
  readonly #pieces: Record<string, string> = {};

  constructor(link: string, name: string) {
    const { origin, room, secret } = parseShareLink(link);
    this.remote = new RemoteGuest({
      clock: systemClock,
      dial: dialSocket({ origin, room, hostToken: null }),
      secret,
      name,
      onChange: () => undefined,
      onPiece: ({ port, lane, bytes }) => {
        const key = `${port} ${lane}`;
        this.#pieces[key] = (this.#pieces[key] ?? '') + new TextDecoder().decode(bytes);
      },
      onMissing: () => undefined,
    });
  }

  received(port: number): string {
    return this.#pieces[`${port} received`] ?? '';
  }

  sent(port: number): string {
    return this.#pieces[`${port} sent`] ?? '';
  }

  async joined(): Promise<void> {
    await expect.poll(() => this.remote.status.state).toBe('joined');
  }

  async hasRight(port: number, right: string): Promise<void> {
    await expect.poll(() => this.remote.status.ports.find((one) => one.port === port)?.right).toBe(right);
  }

  async ended(why: string): Promise<void> {
    await expect.poll(() => this.remote.status).toMatchObject({ state: 'ended', why });
  }
}

interface Fixtures {
  /** Opens the link as a guest who leaves at the end of the test. */
  readonly arrive: (link: string, name: string) => Guest;
  /** Opens the link and waits until the guest has joined. */
  readonly visit: (link: string, name: string) => Promise<Guest>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright demands the destructuring, also of nothing.
  arrive: async ({}, use) => {
    const guests: Guest[] = [];
    await use((link, name) => {
      const guest = new Guest(link, name);
      guests.push(guest);
      return guest;
    });
    for (const { remote } of guests) {
      remote.leave();
    }
  },
  visit: ({ arrive }, use) =>
    use(async (link, name) => {
      const guest = arrive(link, name);
      await guest.joined();
      return guest;
    }),
});

/** Resolves with the error's name if a guest's action is refused, otherwise with `done`. */
export const nameOfFailure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );

/** Presses a key until the focus is on the target or inside it. */
export async function pressTo(page: Page, key: 'Tab' | 'ArrowRight', target: Locator): Promise<void> {
  for (let presses = 0; !(await target.evaluate((element) => element.contains(document.activeElement))); presses++) {
    expect(presses, `presses of ${key}`).toBeLessThan(80);
    await page.keyboard.press(key);
  }
}

export const tabTo = (page: Page, target: Locator) => pressTo(page, 'Tab', target);
