/** The STM32 flasher's page for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { result, writeButton } from './flasher-steps.ts';
import { addFirmware, connectStmDemo, flashFast, program } from './stm-flasher-steps.ts';

for (const theme of ['dark', 'light'] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({
      storageState: async ({ baseURL }, use) => {
        const localStorage = [{ name: 'wirebench.theme', value: theme }];
        await use({ cookies: [], origins: [{ origin: baseURL ?? '', localStorage }] });
      },
    });

    test('the STM32 flasher is without findings, empty, protected, planned, done and failed', async ({ page }) => {
      await page.goto(staticPages.stmFlasher);
      await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
      await page.getByRole('combobox', { name: 'Into the bootloader' }).selectOption('manual');
      expect(await findings(page)).toEqual([]);
      await page.getByRole('combobox', { name: 'Into the bootloader' }).selectOption('usual');
      await flashFast(page);
      await addFirmware(page, 'boiler.bin', program(2_048));
      await connectStmDemo(page, 'Demo STM32F103, read-protected');
      await expect(page.getByRole('region', { name: 'Read protection' })).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await connectStmDemo(page);
      await expect(writeButton(page)).toBeEnabled();
      expect(await findings(page)).toEqual([]);
      await writeButton(page).click();
      await expect(result(page)).toContainText('Written and verified');
      expect(await findings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Flash again' }).click();
      await expect(writeButton(page)).toBeEnabled();
      await page.getByRole('button', { name: 'Unplug' }).click();
      await expect(page.getByRole('alert', { name: 'The board was unplugged' })).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });
  });
}

test('the STM32 flasher fits a phone from the empty page to the receipt', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.goto(staticPages.stmFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  expect(await width()).toBe(390);
  await flashFast(page);
  await addFirmware(page, 'boiler.bin', program(2_048));
  await connectStmDemo(page);
  await expect(writeButton(page)).toBeEnabled();
  expect(await width()).toBe(390);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  expect(await width()).toBe(390);
  expect(await findings(page)).toEqual([]);
});
