/**
 * Toasts of a page. Each is visible only for seconds, or until the next one. The page therefore records its toasts,
 * and a test reads the record.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from '@playwright/test';

declare global {
  interface Window {
    /** Texts, oldest first, since the start of the document or since the last expected toast. */
    shownToasts: string[];
  }
}

/** Makes all pages that `context` opens from now on record their toasts. */
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
 * Waits until a toast with `text` has been shown, and forgets it and all earlier ones.
 *
 * @param options.timeout Milliseconds.
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
