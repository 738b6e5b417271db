/** When a page shows something, and when it shows what it is for. */
import type { Browser } from '@playwright/test';

export interface FirstContent {
  /** Milliseconds from the start of the navigation to the first text or picture, as the browser painted it. */
  readonly painted: number;
  /** Milliseconds to the page's own heading: its code has arrived and ran. */
  readonly heading: number;
}

declare global {
  interface Window {
    headingAt: Promise<number>;
  }
}

/** In a fresh profile, as at a first visit. */
export async function firstContent(browser: Browser, address: string): Promise<FirstContent> {
  // What is kept for later is fetched after the page; here it would only disturb the next measurement.
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchForHeading);
    await page.goto(address);
    return await page.evaluate(async () => {
      const painted = new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntriesByName('first-contentful-paint')) {
            resolve(startTime);
          }
        }).observe({ type: 'paint', buffered: true });
      });
      return { painted: await painted, heading: await window.headingAt };
    });
  } finally {
    await context.close();
  }
}

/** Runs in the page. The terminal and the flasher have none of the first rank: their work is in its place. */
function watchForHeading(): void {
  window.headingAt = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('main h1, main [role=log], main h2') !== null) {
        observer.disconnect();
        // Asked for in the frame that paints it.
        requestAnimationFrame(() => resolve(performance.now()));
      }
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}
