import type { Page } from '@playwright/test';

/** Counts the clicks of the person from now on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const count = await page.evaluateHandle(() => {
    const counted = { clicks: 0 };
    addEventListener('pointerdown', (event) => (counted.clicks += event.isTrusted ? 1 : 0), true);
    return counted;
  });
  return () => count.evaluate(({ clicks }) => clicks);
}
