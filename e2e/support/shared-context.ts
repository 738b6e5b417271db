/**
 * One browser context for tests that come one after the other. A page of an empty browser fetches and compiles the whole product, which takes longer
 * than most tests. What a test leaves in the browser is removed behind it, and a context with more than that is not used again.
 */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

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
  /** What it was opened with. */
  readonly kind: string;
  /** An empty page of no test, through which the others are emptied: a page for each time takes longer than that. */
  readonly blank: Page;
  readonly session: CDPSession;
  isSpent: boolean;
}

/** Of this process, which runs one test at a time. */
let kept: Kept | null = null;

/**
 * A context without cookies, stored data and pages but an empty one: that of the test before where it was of the same `kind`.
 * @param open makes one, with what each page of it needs.
 */
export async function takeContext(kind: string, open: () => Promise<BrowserContext>): Promise<BrowserContext> {
  if (kept !== null && (kept.kind !== kind || kept.isSpent)) {
    await closeContext();
  }
  if (kept === null) {
    const context = await open();
    // A browser of its own starts with a page.
    const blank = context.pages()[0] ?? (await context.newPage());
    kept = { context, kind, blank, session: await context.newCDPSession(blank), isSpent: false };
    spendWithLastingChanges(kept);
  }
  return kept.context;
}

/** The next test gets a new one. */
export async function closeContext(): Promise<void> {
  const context = kept?.context;
  kept = null;
  await context?.close();
}

function spendWithLastingChanges(of: Kept): void {
  // Also when its browser has ended.
  of.context.once('close', () => {
    of.isSpent = true;
  });
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
    await closeContext();
    return;
  }
  const left = context.pages().filter((page) => page !== blank);
  await Promise.all(left.map((page) => page.close()));
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await context.clearCookies();
}
