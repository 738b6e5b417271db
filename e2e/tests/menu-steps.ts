/** Choices from the product's menus. */
import { expect, type Locator, type Page } from '@playwright/test';

export interface ChooseOptions {
  /** True: `item` is the complete name. */
  readonly exact?: boolean;
}

/** Opens the menu of `opener`, chooses `item`, and waits until the menu has closed. */
export async function choose(
  opener: Locator,
  item: string | RegExp,
  { exact = false }: ChooseOptions = {},
): Promise<void> {
  const page = opener.page();
  const named = { name: item, exact };
  await opener.click();
  await page.getByRole('menuitem', named).or(page.getByRole('menuitemcheckbox', named)).click();
  await menuGone(page);
}

/** Waits until the menu has closed. It then returns the focus; an earlier key press would go to the wrong element. */
export async function menuGone(page: Page): Promise<void> {
  await expect(page.getByRole('menu')).toHaveCount(0);
}
