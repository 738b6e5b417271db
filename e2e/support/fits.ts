/** That nothing of a page is wider than its window. */
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

/** Waits for it: what follows the window's size in a script does so a little later. */
export async function expectToFit(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 'px beyond the window')
    .toBeLessThanOrEqual(0);
}
