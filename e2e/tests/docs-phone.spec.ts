/** The documentation on a phone: the bar above the text says which section an address leads to. */
import { pagePaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';

test.use({ viewport: { width: 390, height: 844 } });

for (const [guide, anchor, title] of [
  [pagePaths.espFlasherDocs, 'flash-settings', 'Flash settings'],
  [pagePaths.espFlasherDocs, 'several-boards', 'Several boards'],
  [pagePaths.espFlasherDocs, 'batch-mode', 'Several boards'],
  [pagePaths.esp32Docs, 'safety', 'Safety'],
  [pagePaths.esp32Docs, 'stuck-bus', 'I2C'],
  [pagePaths.esp32Docs, 'chip-fields', 'Describe a chip'],
] as const) {
  test(`${guide}#${anchor} is read as ${title}`, async ({ page }) => {
    await page.goto(`${guide}#${anchor}`);
    await expect(page.locator(`#${anchor}`)).toBeInViewport();
    await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible();
  });
}
