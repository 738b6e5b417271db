/** Chromium 92, as `scripts/test/old-chromium.ts` has unpacked it, and what Playwright needs to drive a browser that old. */
import { dirname, join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';

/** Path of the program; undefined where there is none, and these tests are left out. */
export const oldChromium: string | undefined = process.env['WIREBENCH_OLD_CHROMIUM'];

/** How Playwright starts `program`. */
export const launchOptionsOf = (program: string) => ({
  executablePath: program,
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  env: { ...process.env, LD_LIBRARY_PATH: join(dirname(program), 'lib') } as Record<string, string>,
});

/** Runs in Playwright's own world of a page, and nothing of it in the page's. Playwright asks elements whether they are visible by a method of Chromium 105. */
function provideCheckVisibility(): void {
  Element.prototype.checkVisibility ??= function checkVisibility() {
    return this.getClientRects().length > 0;
  };
}

const source = `(${provideCheckVisibility})()`;

/** Lets Playwright look for elements in `page`, now and in the documents that come: it works in a world of its own, beside the page's. */
export async function letPlaywrightSee(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const name = await ownWorld(session);
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: name });
}

/** Name of Playwright's world in the page. What it has of it already is mended, also where it navigates meanwhile. */
function ownWorld(session: CDPSession): Promise<string> {
  return new Promise((resolve, reject) => {
    session.on('Runtime.executionContextCreated', ({ context: { id, name } }) => {
      if (name.startsWith('__playwright_utility_world')) {
        const found = () => resolve(name);
        // It fails where the document has gone: the next one has a context of its own.
        session.send('Runtime.evaluate', { expression: source, contextId: id }).then(found, found);
      }
    });
    session.send('Runtime.enable').catch(reject);
  });
}
