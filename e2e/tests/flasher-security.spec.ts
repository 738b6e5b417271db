/** eFuses and security of simulated boards, and the answer to "Will this image start here?". */
import type { Locator, Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { espFirmwareSet, signedImage } from '@wirebench/devices';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { signedByAnotherKey } from '../support/foreign-signature.ts';
import { expect, test } from '../support/test.ts';
import {
  chooseFile,
  connectDemo,
  connectOther,
  expectNoWrite,
  openSettings,
  result,
  writeButton,
} from './flasher-steps.ts';

const firmware = espFirmwareSet({ chip: 'esp32c3', project: 'node', version: '1.0.0', text: 'Hello\r\n' });
const app = firmware.find(({ offset }) => offset === 0x10000)?.data ?? new Uint8Array();

const onBoard = (page: Page): Locator => page.getByRole('region', { name: 'On the board' });
const row = (page: Page): Locator => onBoard(page).getByRole('button', { name: /^eFuses and security/ });
const answer = (page: Page): Locator =>
  onBoard(page).getByRole('status').filter({ hasText: 'Will this image start here?' });

/** Opens the entry by the keyboard. The section is folded while files are planned. */
async function openSecurity(page: Page): Promise<void> {
  const fold = onBoard(page).getByRole('button', { name: 'On the board', exact: true });
  if ((await fold.getAttribute('aria-expanded')) === 'false') {
    await fold.press('Enter');
  }
  await row(page).press('Enter');
}

/** Chooses an application, in place of an earlier one. */
async function chooseApp(page: Page, bytes: Uint8Array): Promise<void> {
  const remove = page.getByRole('button', { name: 'Remove app.bin' });
  if (await remove.isVisible()) {
    await remove.click();
  }
  await chooseFile(page, 'app.bin', Buffer.from(bytes));
  // The section folds with the first file.
  await expect(remove).toBeVisible();
}

test('an open board says that anyone can read it, and lists all of its eFuses', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await expect(row(page)).toContainText('Open: anyone with a cable can read and write');
  await openSecurity(page);
  const view = onBoard(page);
  await expect(view).toContainText('Wirebench never writes an eFuse');
  await expect(view).toContainText('Anyone with a cable can read and replace everything on it');
  await expect(view).toContainText('UART_DOWNLOAD_DIS 0');
  await expect(view.getByText('Will this image start here?')).toHaveCount(0);

  await view.getByRole('button', { name: /^All \d+ eFuse fields$/ }).press('Enter');
  await view.getByRole('searchbox', { name: 'Search the fields' }).fill('secure boot v1');
  const fields = view.getByRole('region', { name: 'All eFuses' }).getByRole('listitem');
  await expect(fields.filter({ hasText: 'ABS_DONE_0' })).toContainText('False');
  await expect(view.getByText('FLASH_CRYPT_CNT', { exact: true })).toHaveCount(0);
  await view.getByRole('searchbox', { name: 'Search the fields' }).fill('no such field');
  await expect(view).toContainText('No field has “no such field”');

  await view.getByRole('button', { name: 'Copy as text' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('FLASH_CRYPT_CNT (BLOCK0)');
  // The sticky answer would cover half of a button above it.
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await findings(page)).toEqual([]);
});

test('a secured board answers for unsigned, wrongly signed and rightly signed firmware before anything is erased', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  await connectOther(page, 'Demo secured ESP32-C3');
  await expect(row(page)).toContainText('Secure boot is on, flash is encrypted');
  await openSecurity(page);
  await expect(onBoard(page)).toContainText('It starts only firmware signed with the key whose digest starts with');
  await expect(onBoard(page)).toContainText('in development mode');

  await chooseApp(page, app);
  await openSecurity(page);
  await expect(answer(page)).toContainText('Will this image start here? No');
  await expect(answer(page)).toContainText('Sign app.bin with the key whose digest starts with');
  await expect(onBoard(page)).toContainText('Secure boot is on, and app.bin carries no signature');
  await expect(
    page.getByText('This board starts signed firmware only, and "app.bin" is not signed.').first(),
  ).toBeVisible();
  await expectNoWrite(page);

  await chooseApp(page, signedByAnotherKey(app));
  await expect(onBoard(page)).toContainText('app.bin is signed with another key');
  expect(await findings(page)).toEqual([]);

  await chooseApp(page, signedImage(app));
  await expect(onBoard(page)).toContainText('app.bin is signed (RSA-3072) with a key of this board');
  await expect(answer(page)).toContainText('Choose "Encrypt on the board" in the settings.');
  await openSettings(page);
  await page.getByRole('checkbox', { name: /^Encrypt on the board/ }).check();
  await expect(answer(page)).toContainText('Will this image start here? It cannot be told');
  await expect(answer(page)).toContainText('The partition table on the board cannot be read');

  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await expect(answer(page)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });

  await writeButton(page).click();
  await expect(result(page)).toContainText(/not verified/i);
});
