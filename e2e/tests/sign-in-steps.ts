/** Signing in and out like a person, for tests that need an account. */
import type { Page } from '@playwright/test';
import { expect } from '../support/test.ts';

export type DemoAccount = 'maker' | 'tinkerer' | 'admin';

export const account = (page: Page, name: DemoAccount) => page.getByRole('button', { name: `Account of ${name}` });

/** Clicks Sign In and returns the provider's window. */
export async function openSignIn(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign In' }).click();
  return opened;
}

/** Signs in through the provider's window. */
export async function signInByWindow(page: Page, name: DemoAccount): Promise<void> {
  const popup = await openSignIn(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await closed;
  await expect(account(page, name)).toBeVisible();
}

const sessionKey = 'wirebench.session';

/** Returns the session that the page stores. */
async function storedSession(page: Page): Promise<string> {
  const stored = await page.evaluate((key) => localStorage.getItem(key), sessionKey);
  expect(stored).toBeTruthy();
  return stored ?? '';
}

/**
 * Milliseconds for which a session is reused. Tokens are valid for five minutes. A page renews them in the last
 * minutes, which ends the session for all other users of the same tokens.
 */
const sessionLife = 150_000;

/** Sessions begun by tests of this process, by origin and account. */
const sessions = new Map<string, { readonly stored: string; readonly until: number }>();

/**
 * Signs in on `page`. Reuses a session of an earlier test, passed in as from another tab, because the provider's
 * window takes as long as many tests. The provider then does not know this browser. Tests that sign out, or that the
 * provider must recognise, use `signInByWindow`.
 */
export async function signIn(page: Page, name: DemoAccount): Promise<void> {
  const id = `${new URL(page.url()).origin} ${name}`;
  const known = sessions.get(id);
  if (known === undefined || known.until < Date.now()) {
    const until = Date.now() + sessionLife;
    await signInByWindow(page, name);
    sessions.set(id, { stored: await storedSession(page), until });
    return;
  }
  await page.evaluate(
    ([key, stored]) => {
      localStorage.setItem(key, stored);
      localStorage.setItem('wirebench.session-expected', 'yes');
      dispatchEvent(new StorageEvent('storage', { key, newValue: stored }));
    },
    [sessionKey, known.stored] as const,
  );
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

/** Returns the header with the bearer token of the account signed in on `page`. */
export async function bearer(page: Page): Promise<{ authorization: string }> {
  const { accessToken } = JSON.parse(await storedSession(page)) as { accessToken?: string };
  expect(accessToken).toBeTruthy();
  return { authorization: `Bearer ${accessToken}` };
}
