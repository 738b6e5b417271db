/** Signing in with a name and a password, on a server without demo accounts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runAccountCommand, type StartedServer, startServer } from '@wirebench/server';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { themes } from '../support/theme.ts';
import { openSignIn } from './sign-in-steps.ts';

const password = 'correct horse battery';
let folder: string;
let server: StartedServer;

const accounts = (...args: readonly string[]) =>
  runAccountCommand(args, { environment: { DATA_DIR: folder }, readPassword: async () => password });

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wirebench-accounts-'));
  await accounts('add', 'jo', '--admin');
  server = await startServer({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' });
});

test.afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const accountOf = (page: Page, name: string) => page.getByRole('button', { name: `Account of ${name}` });

test('the form is cancelled, fits its window without findings in either theme, says that a password is wrong, and signs in by keyboard alone', async ({
  page,
}) => {
  await page.goto(server.address);
  await test.step('Cancel cancels, with the fields empty', async () => {
    const popup = await openSignIn(page);
    await popup.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Authentication was cancelled')).toBeVisible();
  });

  for (const theme of themes.toReversed()) {
    await test.step(`the form is without findings and fits its window, in the ${theme} theme`, async () => {
      await page.evaluate((chosen) => localStorage.setItem('wirebench.theme', chosen), theme);
      const popup = await openSignIn(page);
      await popup.getByLabel('Name').fill('jo');
      await popup.getByLabel('Password').fill('wrong');
      await popup.getByRole('button', { name: 'Sign in' }).click();
      await expect(popup.getByRole('alert')).toBeVisible();
      expect(await popup.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
      expect(await findings(popup, { landmarks: true })).toEqual([]);
      await popup.setViewportSize({ width: 320, height: 480 });
      expect(await popup.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await popup.close();
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
    });
  }

  const popup = await openSignIn(page);
  const closed = popup.waitForEvent('close');
  await expect(popup.getByLabel('Name')).toBeFocused();
  await popup.keyboard.type('jo');
  await popup.keyboard.press('Tab');
  await popup.keyboard.type('not the password');
  await popup.keyboard.press('Enter');
  await expect(popup.getByRole('alert')).toHaveText('The name or the password is wrong.');
  await expect(popup.getByLabel('Name')).toHaveValue('jo');
  await expect(popup.getByLabel('Password')).toBeFocused();
  await expect(popup.getByLabel('Password')).toHaveAccessibleDescription('The name or the password is wrong.');
  await popup.keyboard.type(password);
  await popup.keyboard.press('Enter');
  await closed;
  await expect(accountOf(page, 'jo')).toBeVisible();
  await page.reload();
  await accountOf(page, 'jo').click();
  await expect(page.getByRole('menuitem', { name: 'Admin Dashboard' })).toBeVisible();
});

test('a user whose account is disabled is signed out', async ({ page }) => {
  await accounts('add', 'guest');
  await page.goto(server.address);
  const popup = await openSignIn(page);
  const closed = popup.waitForEvent('close');
  await popup.getByLabel('Name').fill('guest');
  await popup.getByLabel('Password').fill(password);
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await closed;
  await expect(accountOf(page, 'guest')).toBeVisible();
  await accounts('disable', 'guest');
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('wirebench.session') ?? '{}');
    localStorage.setItem('wirebench.session', JSON.stringify({ ...session, expiresAt: Date.now() + 5_000 }));
  });
  await page.goto(server.address);
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
});
