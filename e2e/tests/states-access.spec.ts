/** States that the flows of the other tests only pass through, for a screen reader: no findings in either theme, on a desktop and on a phone. */
import { pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';

test('what a search of the documentation finds is without findings', async ({ page }) => {
  await page.goto(pagePaths.uartDocs);
  await page.getByRole('searchbox', { name: 'Search docs' }).fill('regular express');
  await expect(page.getByRole('link', { name: /^Find and filter/ })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('[aria-controls=docs-contents]').click();
  await expect(page.getByRole('link', { name: /^Find and filter/ })).toBeVisible();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});
