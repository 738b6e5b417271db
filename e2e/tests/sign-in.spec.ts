import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { account, bearer, type DemoAccount, openSignIn, signInByWindow, signOut } from './sign-in-steps.ts';

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In' });

/** Changes the stored token so that it expires within seconds. */
const letExpire = (page: Page) =>
  page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('wirebench.session') ?? '{}');
    localStorage.setItem('wirebench.session', JSON.stringify({ ...session, expiresAt: Date.now() + 5_000 }));
  });

/** Signs in through the provider's window; a reload restores the session. */
async function signInAndReload(page: Page, name: DemoAccount): Promise<void> {
  await page.goto('/');
  const popup = await openSignIn(page);
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeVisible();
  await expect(popup.getByRole('button', { name: new RegExp(name) })).toBeVisible();
  await expect.poll(() => popup.evaluate(() => [innerWidth, innerHeight])).toEqual([550, 650]);
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await expect(account(page, name)).toBeVisible();
  await page.reload();
  await expect(account(page, name)).toBeVisible();
}

test('a sign-in that is cancelled, blocked, without room in the storage or without an answer says so, and the next one works', async ({
  page,
}) => {
  await page.goto('/');

  await test.step('a sign-in window that is closed cancels', async () => {
    const popup = await openSignIn(page);
    await popup.getByRole('button', { name: /maker/ }).waitFor();
    await popup.close();
    await expect(page.getByRole('alert').getByText('Authentication was cancelled')).toBeVisible();
    await expect(signInButton(page)).toBeEnabled();
  });

  await test.step('a blocked window is named as the reason', async () => {
    await page.evaluate(() => {
      const { open } = window;
      window.open = () => {
        window.open = open;
        return null;
      };
    });
    await signInButton(page).click();
    await expect(page.getByText('Failed to open popup. Please check your popup blocker settings.')).toBeVisible();
  });

  await test.step("the provider's own Cancel cancels", async () => {
    const popup = await openSignIn(page);
    await popup.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Authentication was cancelled')).toBeVisible();
  });

  await test.step('a sign-in without room in the storage says so, and works once there is some', async () => {
    await page.evaluate(() => {
      // Fills the storage with ever smaller values, down to a single character.
      for (let length = 2 ** 22; length >= 1; length /= 2) {
        try {
          localStorage.setItem(`somebody else's ${length}`, 'x'.repeat(length));
        } catch {
          // No more values of this length fit.
        }
      }
    });
    await openSignIn(page);
    await expect(page.getByRole('alert').getByText("The browser's storage for this site is full.")).toBeVisible();
    await page.evaluate(() => localStorage.clear());
    await signInByWindow(page, 'maker');
    await signOut(page, 'maker');
  });

  await test.step('an answer that belongs to no sign-in is no session', async () => {
    const tokens = '**/protocol/openid-connect/token';
    await page.route(tokens, (route) => route.fulfill({ status: 400, json: { error: 'invalid_grant' } }));
    const popup = await openSignIn(page);
    await popup.getByRole('button', { name: /maker/ }).click();
    await expect(page.getByText('Authentication failed - no valid session found')).toBeVisible();
    await expect(signInButton(page)).toBeVisible();
    await page.unroute(tokens);
  });
});

test('maker signs in; a new tab finds the session, and a sign-out in one signs out all', async ({ page, context }) => {
  await signInAndReload(page, 'maker');
  const other = await context.newPage();
  await other.goto('/nowhere');
  await expect(account(other, 'maker')).toBeVisible();
  await signOut(other, 'maker');
  await expect(signInButton(page)).toBeVisible();
  await page.reload();
  await expect(signInButton(page)).toBeVisible();
  // The provider has also ended its session: it asks for the account again.
  const popup = await openSignIn(page);
  await expect(popup.getByRole('button', { name: /maker/ })).toBeVisible();
  await popup.close();
});

test('admin signs in; a token that runs out is renewed once, however many tabs there are', async ({
  page,
  context,
}) => {
  await signInAndReload(page, 'admin');
  const before = await bearer(page);
  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  await letExpire(page);
  let renewals = 0;
  context.on('request', (request) => {
    renewals += request.url().endsWith('/protocol/openid-connect/token') ? 1 : 0;
  });
  await Promise.all(tabs.map((tab) => tab.goto('/')));
  await expect.poll(() => bearer(page)).not.toEqual(before);
  for (const tab of tabs) {
    await tab.reload();
    await expect(account(tab, 'admin')).toBeVisible();
  }
  expect(renewals).toBe(1);
});

test('tinkerer signs in; a session that was lost without a sign-out is found again silently', async ({
  page,
  context,
}) => {
  await signInAndReload(page, 'tinkerer');
  await page.evaluate(() => localStorage.removeItem('wirebench.session'));
  let asked = false;
  context.on('request', (request) => {
    asked ||= request.url().includes('/silent-check-sso.html');
  });
  await page.reload();
  await expect(account(page, 'tinkerer')).toBeVisible();
  expect(asked).toBe(true);
});

test('the login-status check is answered by the page itself', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.goto('/');
  const address = '/realms/wirebench/protocol/openid-connect/login-status-iframe.html';
  const answers = await page.evaluate(async (path) => {
    const fetched = await fetch(`${path}/init`);
    const request = new XMLHttpRequest();
    const loaded = new Promise((resolve) => {
      request.onload = resolve;
    });
    request.open('GET', path);
    request.send();
    await loaded;
    const frame = document.createElement('iframe');
    const shown = new Promise((resolve) => {
      frame.onload = resolve;
    });
    frame.src = path;
    document.body.append(frame);
    await shown;
    const message = new Promise<unknown>((resolve) => {
      addEventListener('message', ({ data, source }) => {
        if (source === frame.contentWindow) {
          resolve(data);
        }
      });
    });
    frame.contentWindow?.postMessage('wirebench-web session', location.origin);
    return [await fetched.text(), fetched.status, request.responseText, request.status, await message];
  }, address);
  expect(answers).toEqual(['unchanged', 200, 'unchanged', 200, 'unchanged']);
  expect(sent.filter((url) => url.includes('login-status-iframe'))).toEqual([]);
});
