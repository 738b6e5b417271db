/** A newcomer's first minute, run without pauses: load the page, click the demo device, read its prompt. */
import type { Product } from './product.ts';

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation to the prompt on the screen. */
    promptAt: Promise<number>;
  }
}

/** Measures a fresh profile, in milliseconds. */
export async function measureFirstUse({ browser, terminal }: Product): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(clickThrough);
  await page.goto(terminal);
  const took = await page.evaluate(() => window.promptAt);
  await context.close();
  return took;
}

/** Runs in the page. It observes every change of the document at once, where a test would poll. */
function clickThrough(): void {
  window.promptAt = new Promise((resolve) => {
    let clicked = false;
    const look = () => {
      const button = [...document.querySelectorAll('button')].find(
        (other) => other.textContent === 'Try the demo board',
      );
      if (!clicked && button !== undefined) {
        clicked = true;
        button.click();
      }
      if (document.querySelector('[role=log]')?.textContent?.includes('demo>')) {
        observer.disconnect();
        resolve(performance.now());
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, characterData: true, subtree: true });
  });
}
