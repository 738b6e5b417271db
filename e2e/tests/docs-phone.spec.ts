/**
 * The documentation on a phone: the bar above the text shows the current section, opens the contents, and closes them
 * after a choice.
 */
import { pagePaths } from '@wirebench/contract';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';

test.use({ viewport: { width: 390, height: 844 } });

const guides = [
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
] as const;

test('the bar says which section an address leads to, of a page that opens and of one that is there', async ({
  page,
}) => {
  for (const [guide, sections] of guides) {
    for (const [anchor, title] of sections) {
      await page.goto(`${guide}#${anchor}`);
      await expect(page.locator(`#${anchor}`)).toBeInViewport();
      await expect(page.getByRole('button', { name: title, exact: true })).toBeVisible();
    }
  }

  await test.step('the bar opens the contents, and closes them with a choice', async () => {
    await page.goto(pagePaths.releasesDocs);
    await page.getByRole('button', { name: 'Overview' }).click();
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Project limits' }).click();
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Project limits' })).toBeInViewport();
    await expectToFit(page);
  });
});
