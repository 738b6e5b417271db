/** `test` for what a person does in Chromium 92: a page as everywhere, which Playwright can see. */
import type { Page } from '@playwright/test';
import { expect, test as product } from '../support/test.ts';
import { account, type DemoAccount, openSignIn } from '../tests/sign-in-steps.ts';
import { letPlaywrightSee } from './chromium-92.ts';

export const test = product.extend({
  page: async ({ page }, use) => {
    await letPlaywrightSee(page);
    await use(page);
  },
});

/** As `signIn`: the provider's window is one that Playwright has to see too. */
export async function signIn(page: Page, name: DemoAccount): Promise<void> {
  const popup = await openSignIn(page);
  await letPlaywrightSee(popup);
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await expect(account(page, name)).toBeVisible();
}

export { expect };
