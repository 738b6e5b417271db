/** `test` for the real Firefox: types into fields key by key. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test as product } from '../support/test.ts';

/**
 * Replaces the content of a field by key presses. In Firefox Playwright's `fill` sets the value through the element's
 * property as the page sees it. React watches this property and would notice no change.
 */
async function typeInto(this: Locator, value: string): Promise<void> {
  await expect(this).toBeEditable();
  await this.press('ControlOrMeta+a');
  if (value === '') {
    await this.press('Delete');
  } else {
    await this.pressSequentially(value);
  }
}

/** Makes every locator of Playwright type, also in steps shared by all browsers. */
function typeByKeys(page: Page): void {
  Object.assign(Object.getPrototypeOf(page.locator('body')) as Locator, { fill: typeInto });
}

export const test = product.extend({
  page: async ({ page }, use) => {
    typeByKeys(page);
    await use(page);
  },
});

export { expect };
