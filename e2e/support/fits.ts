/** Checks that a page is not wider than its window and that its elements can be scrolled into view. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

/** Waits until the page fits, because layouts by script follow the window's size with a delay. */
export async function expectToFit(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 'px beyond the window')
    .toBeLessThanOrEqual(0);
}

/**
 * Waits until the element can be scrolled into view. A new window size may still replace the element by another.
 *
 * @param ratio Visible part of the element.
 */
export async function expectToBeReached(element: Locator, ratio = 0): Promise<void> {
  await expect(async () => {
    await element.scrollIntoViewIfNeeded();
    await expect(element).toBeInViewport({ ratio, timeout: 1_000 });
  }).toPass();
}
