/**
 * The passing messages of a page. Each stands for seconds only, or until the next one comes: so the page itself notes what
 * it shows, and a test asks for what was shown.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from '@playwright/test';

declare global {
  interface Window {
    /** Oldest first, from the start of the document or from the last that a test has asked for. */
    shownToasts: string[];
  }
}

/** Has all pages that `context` opens from now on note their messages. */
export async function noteToasts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.shownToasts = [];
    const standing = new Set<Element>();
    new MutationObserver(() => {
      for (const toast of standing) {
        if (!toast.isConnected) {
          standing.delete(toast);
        }
      }
      for (const toast of document.querySelectorAll('body > div > [role=status] > *, body > div > [role=alert] > *')) {
        if (!standing.has(toast) && toast.getClientRects().length > 0) {
          standing.add(toast);
          window.shownToasts.push((toast as HTMLElement).innerText);
        }
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/**
 * Waits until a message with `text` has been shown, and forgets it and those before it.
 *
 * @param options.timeout milliseconds
 */
export async function expectToast(
  page: Page,
  text: string | RegExp,
  options: { timeout?: number } = {},
): Promise<void> {
  const wanted = typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
  const shown = () => page.evaluate(() => window.shownToasts);
  await expect.poll(shown, options).toContainEqual(wanted);
  const index = (await shown()).findIndex((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)));
  await page.evaluate((count) => window.shownToasts.splice(0, count), index + 1);
}
