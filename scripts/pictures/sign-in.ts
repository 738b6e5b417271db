/** Signs in at the embedded provider with one of its demo accounts, for pictures and recordings. */
import type { Page } from '@playwright/test';

export async function signIn(page: Page, name: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign In' }).first().click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: new RegExp(`\\b${name}\\b`) }).click();
  await closed;
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
}
