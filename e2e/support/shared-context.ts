/**
 * One browser context for tests that come one after the other. A page of an empty browser fetches and compiles the whole product, which takes longer
 * than most tests. What a test leaves in the browser is removed behind it, and a context with more than that is not used again.
 */
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';

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
  /** An empty page of no test, through which the others are emptied: a page for each time takes longer than that. */
  readonly blank: Page;
  readonly session: CDPSession;
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
    const blank = await context.newPage();
    kept = { context, options: wanted, blank, session: await context.newCDPSession(blank), isSpent: false };
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
  if (kept?.context !== context) {
    await context.close();
    return;
  }
  const { blank, session, isSpent } = kept;
  if (isSpent || !isUsable) {
    kept = null;
    await context.close();
    return;
  }
  const left = context.pages().filter((page) => page !== blank);
  await Promise.all(left.map((page) => page.close()));
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await context.clearCookies();
}
