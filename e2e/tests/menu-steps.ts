/** Choosing from the menus of the product. */
import { expect, type Locator, type Page } from '@playwright/test';

export interface ChooseOptions {
  /** `item` is the whole name. */
  readonly exact?: boolean;
}

/** Opens the menu of `opener`, chooses `item`, and waits until the menu is gone. */
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

/** A menu that closes gives the focus back: a key that is pressed before that goes astray. */
export async function menuGone(page: Page): Promise<void> {
  await expect(page.getByRole('menu')).toHaveCount(0);
}
