import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { account, signIn } from './sign-in-steps.ts';

/** Everything that axe finds against WCAG 2.2 AA, as short as a failing test can use it. */
async function findings(page: Page): Promise<string[]> {
  // Colours are only what they are once nothing fades.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    // Popups hang on the body, outside of every landmark, so that nothing cuts them off.
    .disableRules(['region'])
    // Base UI's invisible ends of a popup hand the focus on at once: nobody ever rests on them.
    .exclude('[data-base-ui-focus-guard]')
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

for (const theme of ['dark', 'light'] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({
      storageState: async ({ baseURL }, use) => {
        const localStorage = [{ name: 'wirebench.theme', value: theme }];
        await use({ cookies: [], origins: [{ origin: baseURL ?? '', localStorage }] });
      },
    });

    test('the home page and its modals are without findings', async ({ page }) => {
      await page.goto('/');
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
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
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Feedback', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      await expect(page.getByText('Please enter your feedback')).toBeVisible();
      expect(await findings(page)).toEqual([]);
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
      expect(await findings(page)).toEqual([]);
    });
  });
}
