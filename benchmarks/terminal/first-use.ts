/** A newcomer's first minute, pressed into one: load the page, press the demo device, read its prompt. */
import type { Product } from './product.ts';

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation to the prompt on the screen. */
    promptAt: Promise<number>;
  }
}

/** In a fresh profile; milliseconds. */
export async function measureFirstUse({ browser, terminal }: Product): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(clickThrough);
  await page.goto(terminal);
  const took = await page.evaluate(() => window.promptAt);
  await context.close();
  return took;
}

/** Runs in the page: sees each change of the document at once, where a test would look now and then. */
function clickThrough(): void {
  window.promptAt = new Promise((resolve) => {
    let clicked = false;
    const look = () => {
      const button = [...document.querySelectorAll('button')].find(
        (other) => other.textContent === 'Try the demo device',
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
