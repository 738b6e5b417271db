import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

declare global {
  interface Window {
    firstFrames: string[];
  }
}

const theme = (page: Page) => page.locator('html').getAttribute('data-theme');
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

const DARK = 'rgb(14, 16, 17)';
const LIGHT = 'rgb(242, 241, 236)';

test('the theme is dark until light is chosen, remembered, and followed by other tabs', async ({ page, context }) => {
  await page.goto('/');
  expect([await theme(page), await ground(page)]).toEqual(['dark', DARK]);
  const other = await context.newPage();
  await other.goto('/nowhere');
  await page.getByRole('button', { name: 'Use light theme' }).click();
  await expect.poll(async () => [await theme(page), await ground(page)]).toEqual(['light', LIGHT]);
  await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#FAF9F6');
  await expect.poll(() => theme(other)).toBe('light');
  await expect(other.getByRole('button', { name: 'Use dark theme' })).toBeVisible();
  await page.reload();
  expect([await theme(page), await ground(page)]).toEqual(['light', LIGHT]);
});

test('no frame of a page is painted in the wrong theme', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('wirebench.theme', 'light');
    window.firstFrames = [];
    const record = () => {
      if (document.body !== null) {
        window.firstFrames.push(getComputedStyle(document.body).backgroundColor);
      }
      if (window.firstFrames.length < 5) {
        requestAnimationFrame(record);
      }
    };
    requestAnimationFrame(record);
  });
  await page.goto('/');
  await expect.poll(() => page.evaluate(() => window.firstFrames.length)).toBe(5);
  expect(new Set(await page.evaluate(() => window.firstFrames))).toEqual(new Set([LIGHT]));
});
