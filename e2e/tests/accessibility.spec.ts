import { pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { account, signIn } from './sign-in-steps.ts';

test('pages for signed-in users and the admin dashboard have no accessibility findings', async ({ page }) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Access Required' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.goto('/');
  await signIn(page, 'admin');
  await account(page, 'admin').click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  // The open menu is inside a landmark, and its hidden parts cannot take the focus.
  expect(await findings(page, { landmarks: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Feedback', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Please enter your feedback')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.goto('/admin');
  await expect(page.getByText('Total Feedbacks')).toBeVisible();
  await expect(page.getByText('Loading feedbacks...')).toBeHidden();
  expect(await findings(page)).toEqual([]);
  for (const path of [pagePaths.releasesDocs, pagePaths.releases]) {
    await page.goto(path);
    // The header appears before the page below it.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await account(page, 'admin').click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    expect(await findings(page, { landmarks: true }), path).toEqual([]);
  }
});

test('the check finds weak contrast in either theme and leaves the page in its theme', async ({ page }) => {
  await page.goto(pagePaths.terms);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const [theme, faint, found] of [
    ['dark', '#222222', 'color-contrast: h1'],
    ['light', '#EEEEEE', 'color-contrast: h1 (light)'],
  ] as const) {
    await page.evaluate((rule) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rule);
      document.adoptedStyleSheets = [sheet];
    }, `[data-theme="${theme}"] h1 { color: ${faint} !important; }`);
    expect(await findings(page)).toEqual([found]);
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  }
});
