/** Times at which a page shows its first content and its heading. */
import type { Browser } from '@playwright/test';

export interface FirstContent {
  /** Milliseconds from the start of the navigation to the first painted text or picture. */
  readonly painted: number;
  /** Milliseconds until the page's own heading, which proves that its code has run. */
  readonly heading: number;
}

declare global {
  interface Window {
    headingAt: Promise<number>;
  }
}

/** Measures a first visit in a fresh profile. */
export async function firstContent(browser: Browser, address: string): Promise<FirstContent> {
  // Blocks the service worker: it fetches files for later after the page, which would disturb the next measurement.
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

/** Runs in the page. The terminal and the flasher have no first-level heading: their log or second-level heading counts. */
function watchForHeading(): void {
  window.headingAt = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('main h1, main [role=log], main h2') !== null) {
        observer.disconnect();
        // Takes the time in the frame that paints the heading.
        requestAnimationFrame(() => resolve(performance.now()));
      }
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}
