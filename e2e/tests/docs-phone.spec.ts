/** The documentation on a phone: the bar above the text says which section an address leads to, of a page that opens and of one that is there. */
import { pagePaths } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';

test.use({ viewport: { width: 390, height: 844 } });

for (const [guide, sections] of [
  [
    pagePaths.espFlasherDocs,
    [
      ['batch-mode', 'Several boards'],
      ['flash-settings', 'Flash settings'],
      ['several-boards', 'Several boards'],
    ],
  ],
  [
    pagePaths.esp32Docs,
    [
      ['stuck-bus', 'I2C'],
      ['safety', 'Safety'],
      ['chip-fields', 'Describe a chip'],
    ],
  ],
] as const) {
  test(`${guide} says which of its sections is read`, async ({ page }) => {
    for (const [anchor, title] of sections) {
      await page.goto(`${guide}#${anchor}`);
      await expect(page.locator(`#${anchor}`)).toBeInViewport();
      await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible();
    }
  });
}
