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

/** By the provider's window. */
export async function signInByWindow(page: Page, name: DemoAccount): Promise<void> {
  const popup = await openSignIn(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await closed;
  await expect(account(page, name)).toBeVisible();
}

const sessionKey = 'wirebench.session';

/** What the page keeps of who is signed in. */
async function storedSession(page: Page): Promise<string> {
  const stored = await page.evaluate((key) => localStorage.getItem(key), sessionKey);
  expect(stored).toBeTruthy();
  return stored ?? '';
}

/** Milliseconds. Tokens are good for five minutes, and renewed in the last ones, which ends the session for everybody else who has it. */
const sessionLife = 150_000;

/** Sessions that tests of this process have begun, by origin and account. */
const sessions = new Map<string, { readonly stored: string; readonly until: number }>();

/**
 * Signs in on `page`. The provider's window takes as long as many a test, so a session that another one has begun comes as it does from another tab.
 * The provider does not know this browser then: who signs out, or is to be found again, signs in by the window.
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

/** The bearer token of who is signed in on `page`. */
export async function bearer(page: Page): Promise<{ authorization: string }> {
  const { accessToken } = JSON.parse(await storedSession(page)) as { accessToken?: string };
  expect(accessToken).toBeTruthy();
  return { authorization: `Bearer ${accessToken}` };
}
