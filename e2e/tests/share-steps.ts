/** Sharing a bench as a person does it, and a guest of it without a page. */

import type { Page } from '@playwright/test';
import { systemClock } from '@wirebench/clock';
import { dialSocket, parseShareLink, RemoteGuest } from '@wirebench/remote';
import { expect } from '../support/test.ts';
import { showMore } from './terminal-steps.ts';

export const shareDialog = (page: Page) => page.getByRole('dialog', { name: 'Share this bench' });

export const shareBar = (page: Page) => page.getByRole('region', { name: 'Shared bench' });

export async function openShareDialog(page: Page): Promise<void> {
  await showMore(page);
  await page.getByRole('toolbar', { name: 'More console actions' }).getByRole('button', { name: 'Share' }).click();
  await expect(shareDialog(page)).toBeVisible();
}

/** Signed in already. Gives the link; the dialog is closed. */
export async function share(page: Page): Promise<string> {
  await openShareDialog(page);
  await shareDialog(page).getByRole('button', { name: 'Make a link' }).click();
  await expect(shareBar(page)).toContainText('Shared, no guest yet');
  const link = await shareDialog(page).locator('p[title]').getAttribute('title');
  await page.keyboard.press('Escape');
  await expect(shareDialog(page)).toBeHidden();
  return link ?? '';
}

/** Somebody with the link, over a WebSocket of this process. */
export class Guest {
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

/** What becomes of something that a guest may not do. */
export const nameOfFailure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
