/**
 * One browser context for tests that come one after the other. A page of an empty browser fetches and compiles the whole product, which takes longer
 * than most tests. What a test leaves in the browser is removed behind it, and a context with more than that is not used again.
 */
import type { Browser, BrowserContext } from '@playwright/test';

/** What lasts longer than the page that asked for it, and has no way back. */
const lasting = [
  'addInitScript',
  'close',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'on',
  'once',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
  'setStorageState',
] as const;

interface Kept {
  readonly context: BrowserContext;
  /** The options that it was made with. */
  readonly options: string;
  isSpent: boolean;
}

/** Of this process, which runs one test at a time. */
let kept: Kept | null = null;

/**
 * A context without cookies, stored data and pages: the one of the test before where that had the same `options`.
 * @param prepare what each page of it needs, done once.
 */
export async function takeContext(
  browser: Browser,
  options: unknown,
  prepare: (context: BrowserContext) => Promise<void>,
): Promise<BrowserContext> {
  const wanted = JSON.stringify(options);
  if (kept !== null && (kept.options !== wanted || kept.isSpent || kept.context.browser() !== browser)) {
    await kept.context.close();
    kept = null;
  }
  if (kept === null) {
    // Playwright gives it the options of the test.
    const context = await browser.newContext();
    await prepare(context);
    kept = { context, options: wanted, isSpent: false };
    spendWithLastingChanges(kept);
  }
  return kept.context;
}

function spendWithLastingChanges(of: Kept): void {
  const spend = (target: object, name: string) => {
    const real: unknown = Reflect.get(target, name);
    if (typeof real !== 'function') {
      throw new Error(`Playwright's context has no ${name} any more.`);
    }
    Object.assign(target, {
      [name]: (...args: unknown[]) => {
        of.isSpent = true;
        return Reflect.apply(real, target, args);
      },
    });
  };
  for (const name of lasting) {
    spend(of.context, name);
  }
  // Pages have the clock of their context.
  spend(of.context.clock, 'install');
}

/** After a test: its pages are closed, and what they have stored is removed. The cache of files stays. */
export async function emptyContext(context: BrowserContext, isUsable: boolean): Promise<void> {
  if (kept?.context !== context || kept.isSpent || !isUsable) {
    kept = null;
    await context.close();
    return;
  }
  const left = context.pages();
  // None of those that are there: a window may be closing itself.
  const page = await context.newPage();
  await Promise.all(left.map((one) => one.close()));
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await context.clearCookies();
  await page.close();
}
