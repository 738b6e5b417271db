/** Logic capture on the demo board before its program is loaded: what it needs, in every window and both themes. */
import type { Page } from '@playwright/test';
import { esp32BenchPage } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { inTheme, themes } from '../support/theme.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Logic capture' });

async function openCapture(page: Page): Promise<void> {
  await page.goto(esp32BenchPage);
  await page.getByRole('button', { name: 'Try the Demo ESP32 bench' }).click();
  await page.getByRole('tab', { name: 'Capture' }).click();
  await expect(panel(page).getByRole('button', { name: 'Load the program into RAM' })).toBeVisible();
}

for (const theme of themes) {
  test.describe(theme, () => {
    test.use(inTheme(theme));

    test('a capture says what it needs, and axe finds nothing', async ({ page }) => {
      await openCapture(page);
      await expect(panel(page)).toContainText('A capture needs the program in RAM.');
      await expect(page.getByRole('button', { name: 'Load RAM program' })).toBeVisible();
      expect(await findings(page, { landmarks: true })).toEqual([]);
    });
  });
}

test('the way to a capture fits every window', async ({ page }) => {
  await openCapture(page);
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [720, 450],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const phone = page.getByRole('navigation', { name: 'Bench' });
    const tab = page.getByRole('tab', { name: 'Capture' });
    await expect(phone.or(tab).first()).toBeVisible();
    await ((await phone.isVisible()) ? phone.getByRole('button', { name: 'Capture' }) : tab).click();
    await expect(panel(page)).toContainText('A capture needs the program in RAM.');
    await expectToFit(page);
  }
});
