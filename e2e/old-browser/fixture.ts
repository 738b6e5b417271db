/** `test` for what a person does in Chromium 92: a page as everywhere, which Playwright can see. */
import { expect, test as product } from '../support/test.ts';
import { letPlaywrightSee } from './chromium-92.ts';

export const test = product.extend({
  page: async ({ page }, use) => {
    await letPlaywrightSee(page);
    await use(page);
  },
});

export { expect };
