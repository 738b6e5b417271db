/**
 * Browser contexts for tests that come one after the other. A page of an empty browser fetches and compiles the whole product, which takes longer
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
  /** A test has it. */
  isTaken: boolean;
  isSpent: boolean;
}

/** Of this process, which runs one test at a time; the one that was taken last is the last. */
const kept: Kept[] = [];

/** Of one person, two others, and one with another window. */
const MOST = 4;

/**
 * A context without cookies, stored data and pages but an empty one: that of a test before where there is one of the same `kind`.
 * @param open makes one, with what each page of it needs.
 * @param most contexts at a time, where no test has more; the one that nobody has had for the longest time is closed.
 */
export async function takeContext(
  kind: string,
  open: () => Promise<BrowserContext>,
  most: number = MOST,
): Promise<BrowserContext> {
  const found = kept.find((one) => one.kind === kind && !one.isTaken);
  if (found !== undefined) {
    remove(found);
    if (!found.isSpent) {
      kept.push(Object.assign(found, { isTaken: true }));
      return found.context;
    }
    await found.context.close();
  }
  for (const oldest of kept.filter(({ isTaken }) => !isTaken).slice(0, Math.max(0, kept.length - most + 1))) {
    remove(oldest);
    await oldest.context.close();
  }
  const context = await open();
  // A browser of its own starts with a page.
  const blank = context.pages()[0] ?? (await context.newPage());
  const opened = { context, kind, blank, session: await context.newCDPSession(blank), isTaken: true, isSpent: false };
  spendWithLastingChanges(opened);
  kept.push(opened);
  return context;
}

function remove(one: Kept): void {
  kept.splice(kept.indexOf(one), 1);
}

/** The next tests get new ones. */
export async function closeContexts(): Promise<void> {
  await Promise.all(kept.splice(0).map(({ context }) => context.close()));
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
  const found = kept.find((one) => one.context === context);
  if (found === undefined || found.isSpent || !isUsable) {
    if (found !== undefined) {
      remove(found);
    }
    await context.close();
    return;
  }
  const { blank, session } = found;
  const left = context.pages().filter((page) => page !== blank);
  await Promise.all(left.map((page) => page.close()));
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
  await context.clearCookies();
  found.isTaken = false;
}
