import { demoReleaseId, pagePaths, releasePath } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { account, signIn } from './sign-in-steps.ts';

test('the page of a release and a link that leads nowhere are without findings', async ({ page }) => {
  await page.goto(releasePath('project', demoReleaseId));
  await expect(page.getByRole('link', { name: 'Flash this version' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await page.goto(releasePath('project', 'AAAAAAAAAAAAAAAAAAAAAA'));
  await expect(page.getByRole('heading', { name: 'There is no release at this link' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('the home page and its modals are without findings', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Firmware flasher', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Watch the Firmware releases video' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('what only signed-in people see is without findings', async ({ page }) => {
  await page.goto('/');
  await signIn(page, 'maker');
  await account(page, 'maker').click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  // The open menu is in a landmark, and nothing hidden in it takes the focus.
  expect(await findings(page, { landmarks: true })).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Feedback', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Please enter your feedback')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('the admin dashboard is without findings, before and after the login', async ({ page }) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Access Required' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.goto('/');
  await signIn(page, 'admin');
  await page.goto('/admin');
  await expect(page.getByText('Total Feedbacks')).toBeVisible();
  await expect(page.getByText('Loading feedbacks...')).toBeHidden();
  expect(await findings(page)).toEqual([]);
  for (const path of [pagePaths.releasesDocs, pagePaths.releases]) {
    await page.goto(path);
    // The header is there before the page below it.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await account(page, 'admin').click();
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    expect(await findings(page, { landmarks: true }), path).toEqual([]);
  }
});

test('the page for unknown addresses and a failed sign-in are without findings', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/nowhere');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Failed to open popup.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('the home page of a phone is without findings, its menu open', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('what lacks contrast in one theme alone is found, and the page keeps its theme', async ({ page }) => {
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
