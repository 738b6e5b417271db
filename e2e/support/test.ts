/**
 * `test` for every end-to-end test: a violation of the content security policy or a script error on a page fails the
 * test.
 */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type TestInfo,
} from '@playwright/test';
import { emptyContext, takeContext } from './shared-context.ts';
import { noteToasts } from './toasts.ts';

declare global {
  interface Window {
    reportPolicyViolation(violation: string): void;
  }
}

interface Fixtures {
  /**
   * Opens a page in another person's browser; each call is a new person. Relative addresses start at `baseURL`, by
   * default the product's.
   */
  elsewhere: (baseURL?: string) => Promise<Page>;
  /** True: the test starts without files that an earlier test has fetched. */
  emptyCache: boolean;
  faults: string[];
}

/** Faults noted for the running test. */
const faultsOf = new WeakMap<BrowserContext, string[]>();

/** Opens a context that notes page faults for its test. Playwright adds the test's own options. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await watch(context);
  return context;
}

async function watch(context: BrowserContext): Promise<void> {
  const note = (fault: string) => faultsOf.get(context)?.push(fault);
  await noteToasts(context);
  // Listens from the start. A file chooser that opens before Playwright listens is the system's own and invisible to
  // tests.
  context.on('page', (page) => page.on('filechooser', () => undefined));
  context.on('weberror', (error) => {
    const { name, message, stack } = error.error();
    note(`script error: ${stack || `${name}: ${message}`}`);
  });
  await context.exposeFunction('reportPolicyViolation', note);
  await context.addInitScript(() => {
    // A person who has closed the offers of the demo board.
    if (location.pathname === '/app/uart') {
      localStorage.setItem('wirebench.demo-tried', 'yes');
    }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      window.reportPolicyViolation(`policy violation: ${effectiveDirective} ${blockedURI} in ${sourceFile}`);
    });
  });
}

/** Options of tests whose visitor sees everything move: newcomers, videos, answers that are scrolled into view. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const;

const mayShare = ({ project }: TestInfo): boolean => project.name === 'product';

export const test = base.extend<Fixtures>({
  emptyCache: [false, { option: true }],
  context: async ({ browser, contextOptions, emptyCache, storageState, serviceWorkers, viewport }, use, testInfo) => {
    const isShared = mayShare(testInfo) && !emptyCache && storageState === undefined && serviceWorkers === 'block';
    const open = () => openContext(browser);
    const context = isShared ? await takeContext(JSON.stringify([contextOptions, viewport]), open) : await open();
    await use(context);
    await emptyContext(context, isShared && testInfo.status === testInfo.expectedStatus);
  },
  elsewhere: async ({ browser, contextOptions, faults, viewport }, use, testInfo) => {
    const contexts: BrowserContext[] = [];
    await use(async (baseURL) => {
      const open = () => openContext(browser, baseURL === undefined ? {} : { baseURL });
      const kind = JSON.stringify(['elsewhere', baseURL, contextOptions, viewport]);
      const context = mayShare(testInfo) ? await takeContext(kind, open) : await open();
      faultsOf.set(context, faults);
      contexts.push(context);
      return context.newPage();
    });
    for (const context of contexts) {
      await emptyContext(context, testInfo.status === testInfo.expectedStatus);
    }
  },
  faults: [
    async ({ context }, use) => {
      const faults: string[] = [];
      faultsOf.set(context, faults);
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
