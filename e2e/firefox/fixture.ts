/** `test` for the real Firefox: types into fields key by key. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test as product } from '../support/test.ts';

/**
 * Replaces the content of a field by key presses. Playwright's own `fill` sets the value through the page's property of the element in Firefox, so that React,
 * which watches this property, sees no change.
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

/** Has every locator of Playwright type, those of the steps that all browsers share included. */
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
