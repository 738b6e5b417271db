/**
 * Browser contexts that consecutive tests share. An empty browser fetches and compiles the whole product, which takes
 * longer than most tests. A test's pages and stored data are removed after it. A context with lasting changes is not
 * used again.
 */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

/** Methods whose effects outlast the page and cannot be undone. */
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
  /** Identifies the options with which it was opened. */
  readonly kind: string;
  /** An empty page for clearing the stored data. Opening one each time would take longer. */
  readonly blank: Page;
  readonly session: CDPSession;
  /** True: a test is using it. */
  isTaken: boolean;
  isSpent: boolean;
}

/** Contexts of this process, which runs one test at a time. Sorted by last use, most recent last. */
const kept: Kept[] = [];

/** Maximum contexts: one person, two others, and one with another window. */
const MOST = 4;

/**
 * Returns a context without cookies, stored data and pages except for an empty one. Reuses an earlier test's context
 * of the same `kind` if possible.
 *
 * @param open Opens a new context with everything that its pages need.
 * @param most Maximum contexts that are open at a time. Beyond it, the least recently used free ones are closed.
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
  // A persistent browser already starts with a page.
  const blank = context.pages()[0] ?? (await context.newPage());
  const opened = { context, kind, blank, session: await context.newCDPSession(blank), isTaken: true, isSpent: false };
  spendWithLastingChanges(opened);
  kept.push(opened);
  return context;
}

function remove(one: Kept): void {
  kept.splice(kept.indexOf(one), 1);
}

/** Closes all contexts; the next tests get new ones. */
export async function closeContexts(): Promise<void> {
  await Promise.all(kept.splice(0).map(({ context }) => context.close()));
}

function spendWithLastingChanges(of: Kept): void {
  // This event also reports that the browser has ended.
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
  // Pages share the clock of their context.
  spend(of.context.clock, 'install');
}

/** Ends a test's use of a context: closes its pages and removes their stored data. The cache of files stays. */
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
