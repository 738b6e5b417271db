/** Walks a new user's path from the home page to a flashed and monitored Demo ESP32, and times it. */
import type { Browser, Page } from '@playwright/test';
import { pagePaths } from '@wirebench/contract';

/**
 * Seconds that a person needs for one click: deciding, pointing, pressing. By the keystroke-level model: 1.35 + 1.1 +
 * 0.2 (Card, Moran, Newell, "The keystroke-level model for user performance time with interactive systems", 1980).
 */
export const secondsPerClick = 2.65;

export interface Walk {
  /** Seconds spent by the product, from the first navigation until the new program is heard. */
  readonly product: number;
  readonly clicks: number;
}

export async function walkToFlashedBoard(browser: Browser, origin: string): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, serviceWorkers: 'block' });
  try {
    // Waits long enough for a busy machine.
    context.setDefaultTimeout(180_000);
    let page = await context.newPage();
    let clicks = 0;
    const click = async (on: Page, role: 'link' | 'button', name: string | RegExp) => {
      clicks++;
      await on.getByRole(role, { name }).first().click();
    };
    const start = performance.now();
    await page.goto(`${origin}${pagePaths.home}`);
    await click(page, 'link', 'ESP32 bench');
    const opened = context.waitForEvent('page');
    await click(page, 'link', 'Flash Latest Release');
    page = await opened;
    await click(page, 'link', 'Install');
    await click(page, 'button', 'Try the Demo ESP32');
    await click(page, 'button', /^(Write \d files?|Install .*)$/);
    // The receipt names the program once the monitor has heard it.
    await page.getByRole('region', { name: 'Result' }).getByText('runs Wirebench probe').first().waitFor();
    return { product: (performance.now() - start) / 1_000, clicks };
  } finally {
    await context.close();
  }
}
