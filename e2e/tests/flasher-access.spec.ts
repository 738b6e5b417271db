/** The flasher's page for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { addFile, connectDemo, demoRelease, result, writeButton } from './flasher-steps.ts';

for (const theme of ['dark', 'light'] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({
      storageState: async ({ baseURL }, use) => {
        const localStorage = [{ name: 'wirebench.theme', value: theme }];
        await use({ cookies: [], origins: [{ origin: baseURL ?? '', localStorage }] });
      },
    });

    test('the flasher is without findings, empty, refused, planned, done and failed', async ({ page }) => {
      await page.goto(staticPages.espFlasher);
      await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await addFile(page, 'storage.bin', Buffer.alloc(0x3000, 7), '0x3fe000');
      await connectDemo(page);
      await expect(page.getByText('Nothing will be written as long as this is not solved.')).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Offset of storage.bin' }).fill('0x200000');
      await expect(writeButton(page)).toBeEnabled();
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

test('the flasher fits a phone from the release to the receipt', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.goto(demoRelease);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  expect(await width()).toBe(390);
  await connectDemo(page);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  expect(await width()).toBe(390);
  expect(await findings(page)).toEqual([]);
});
