/** The Espressif flasher with its demo firmware, on screens of different widths. */
import { staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { connectDemo, result, writeButton } from './flasher-steps.ts';

const widths = [1_440, 768, 390] as const;

test('nothing of the memory map is cut, and files keep their names, at any width', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await expect(writeButton(page)).toBeEnabled();
  const map = page.getByRole('img', { name: /^Flash: / });
  const title = page.getByText('Memory map', { exact: true });
  const name = page.getByRole('cell', { name: /^wirebench-demo-esp32\.bin/ });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await map.locator('small').evaluateAll(
      (sizes) =>
        sizes.filter((size) => {
          const label = size.parentElement;
          return size.checkVisibility() && label !== null && size.scrollWidth > label.clientWidth;
        }).length,
    );
    expect(cut, `${width} px`).toBe(0);
    expect((await title.boundingBox())?.height, `${width} px`).toBeLessThan(24);
    expect((await name.boundingBox())?.width, `${width} px`).toBeGreaterThan(width === 390 ? 140 : 230);
  }
  // The result adds a column, and the monitor shows its buttons in one line.
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(page.getByText('Verified', { exact: false }).first()).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect((await name.boundingBox())?.width, `${width} px`).toBeGreaterThan(200);
    const distance = async () => {
      const save = await page.getByRole('button', { name: 'Save the monitor’s log' }).boundingBox();
      const close = await page.getByRole('button', { name: 'Close', exact: true }).boundingBox();
      return Math.abs((save?.y ?? 0) - (close?.y ?? 100));
    };
    await expect.poll(distance, `${width} px`).toBeLessThan(4);
  }
});
