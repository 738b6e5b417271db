/** Signing in and out as a person does it, for the tests that need somebody. */
import type { Page } from '@playwright/test';
import { expect } from '../support/test.ts';

export type DemoAccount = 'maker' | 'tinkerer' | 'admin';

export const account = (page: Page, name: DemoAccount) => page.getByRole('button', { name: `Account of ${name}` });

/** The provider's window after a click on Sign In. */
export async function openSignIn(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign In' }).click();
  return opened;
}

export async function signIn(page: Page, name: DemoAccount): Promise<void> {
  const popup = await openSignIn(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await closed;
  await expect(account(page, name)).toBeVisible();
}

export async function signOut(page: Page, name: DemoAccount): Promise<void> {
  await account(page, name).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const popup = await opened;
  if (!popup.isClosed()) {
    await popup.waitForEvent('close');
  }
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
}

/** The bearer token of who is signed in on `page`. */
export async function bearer(page: Page): Promise<{ authorization: string }> {
  const stored = await page.evaluate(() => localStorage.getItem('wirebench.session'));
  const { accessToken } = JSON.parse(stored ?? '{}') as { accessToken?: string };
  expect(accessToken).toBeTruthy();
  return { authorization: `Bearer ${accessToken}` };
}
