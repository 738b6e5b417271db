/** The documentation on a phone: the bar above the text says which section an address leads to. */
import { pagePaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';

test.use({ viewport: { width: 390, height: 844 } });

for (const [anchor, title] of [
  ['flash-settings', 'Flash settings'],
  ['several-boards', 'Several boards'],
  ['batch-mode', 'Several boards'],
] as const) {
  test(`#${anchor} is read as ${title}`, async ({ page }) => {
    await page.goto(`${pagePaths.espFlasherDocs}#${anchor}`);
    await expect(page.locator(`#${anchor}`)).toBeInViewport();
    await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible();
  });
}
