/** Actions of a guest of a shared bench. */
import type { Browser, Locator, Page } from '@playwright/test';
import { origin } from '../support/product.ts';
import { SharedBench } from '../support/shared-bench.ts';
import { test as base, expect } from '../support/test.ts';
import { bearer, signIn } from './sign-in-steps.ts';
import { log } from './terminal-steps.ts';

export const guest = 'Priya S.';

async function authorizationOf(browser: Browser): Promise<string> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto('/');
  await signIn(page, 'maker');
  const { authorization } = await bearer(page);
  await context.close();
  return authorization;
}

/** Provides a bench that is shared while the test runs. */
export const test = base.extend<{ bench: SharedBench }, { authorization: string }>({
  authorization: [
    async ({ browser }, use) => {
      await use(await authorizationOf(browser));
    },
    { scope: 'worker' },
  ],
  bench: async ({ authorization }, use) => {
    const bench = await SharedBench.share(authorization);
    await use(bench);
    await bench.stop();
  },
});

export const banner = (page: Page): Locator => page.getByRole('region', { name: 'Shared bench' });

/** Opens the link for the first time in this browser and enters a name. Does not wait for the result. */
export async function askToWatch(page: Page, link: string, name = guest): Promise<void> {
  await page.goto(link);
  await sayWho(page, name);
}

/** Enters a name, which a link asks for once in each browser. */
export async function sayWho(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('button', { name: 'Watch the bench' }).click();
}

/** Opens the link for the first time in this browser, until the log appears. */
export async function openLink(page: Page, link: string, name = guest): Promise<void> {
  await askToWatch(page, link, name);
  await expect(banner(page)).toContainText('mira.k shares this bench with you.');
  await expect(log(page)).toBeVisible();
}
