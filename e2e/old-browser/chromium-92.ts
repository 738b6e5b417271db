/**
 * Chromium 92 as unpacked by `scripts/test/old-chromium.ts`, and the support that Playwright needs for a browser this
 * old.
 */
import { dirname, join } from 'node:path';
import type { CDPSession, Page } from '@playwright/test';

/** Path of the program; undefined if it is missing, and the tests are then skipped. */
export const oldChromium: string | undefined = process.env['WIREBENCH_OLD_CHROMIUM'];

/** Returns Playwright's options for starting `program`. */
export const launchOptionsOf = (program: string) => ({
  executablePath: program,
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  env: { ...process.env, LD_LIBRARY_PATH: join(dirname(program), 'lib') } as Record<string, string>,
});

/**
 * Defines `checkVisibility`, a method of Chromium 105 that Playwright calls. Runs in Playwright's isolated world of a
 * page, so the page itself does not get it.
 */
function provideCheckVisibility(): void {
  Element.prototype.checkVisibility ??= function checkVisibility() {
    return this.getClientRects().length > 0;
  };
}

const source = `(${provideCheckVisibility})()`;

/**
 * Makes Playwright's element queries work in `page`, in this document and later ones. They run in an isolated world
 * beside the page's.
 */
export async function letPlaywrightSee(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const name = await ownWorld(session);
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: name });
}

/** Returns the name of Playwright's isolated world, and patches its existing contexts, also during a navigation. */
function ownWorld(session: CDPSession): Promise<string> {
  return new Promise((resolve, reject) => {
    session.on('Runtime.executionContextCreated', ({ context: { id, name } }) => {
      if (name.startsWith('__playwright_utility_world')) {
        const found = () => resolve(name);
        // This fails if the document is gone; the next document has its own context.
        session.send('Runtime.evaluate', { expression: source, contextId: id }).then(found, found);
      }
    });
    session.send('Runtime.enable').catch(reject);
  });
}
