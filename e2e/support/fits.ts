/** That nothing of a page is wider than its window, and that what is in it can be scrolled to. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

/** Waits for it: what follows the window's size in a script does so a little later. */
export async function expectToFit(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 'px beyond the window')
    .toBeLessThanOrEqual(0);
}

/** As `expectToFit`: a new size of the window may still put another element in this one's place. @param ratio how much of it is seen */
export async function expectToBeReached(element: Locator, ratio = 0): Promise<void> {
  await expect(async () => {
    await element.scrollIntoViewIfNeeded();
    await expect(element).toBeInViewport({ ratio, timeout: 1_000 });
  }).toPass();
}
