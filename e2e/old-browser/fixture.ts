/** `test` for Chromium 92: the usual page, prepared for Playwright. */
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

/** Signs in like the common `signIn`, and also prepares the provider's window for Playwright. */
export async function signIn(page: Page, name: DemoAccount): Promise<void> {
  const popup = await openSignIn(page);
  await letPlaywrightSee(popup);
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await expect(account(page, name)).toBeVisible();
}

export { expect };
