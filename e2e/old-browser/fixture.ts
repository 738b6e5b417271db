/** `test` for what a person does in Chromium 92: a page as everywhere, which Playwright can see. */
import { expect, test as product } from '../support/test.ts';
import { letPlaywrightSee, provideCheckVisibility } from './chromium-92.ts';

export const test = product.extend({
  page: async ({ context, page }, use) => {
    // For the notes of passing messages, which run in the page itself. The app does not ask so: coverage.spec.ts looks.
    await context.addInitScript(provideCheckVisibility);
    await letPlaywrightSee(page);
    await use(page);
  },
});

export { expect };
