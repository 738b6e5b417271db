/** The Espressif flasher with its demo firmware, on screens of different widths. */
import { staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { connectDemo, result, writeButton } from './flasher-steps.ts';

for (const width of [1_440, 768, 390]) {
  test(`at ${width} px nothing of the memory map is cut, and files keep their names`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(staticPages.espFlasher);
    await connectDemo(page);
    await page.getByRole('button', { name: 'Use demo firmware' }).click();
    await expect(writeButton(page)).toBeEnabled();
    const map = page.getByRole('img', { name: /^Flash: / });
    const cut = await map.locator('small').evaluateAll(
      (sizes) =>
        sizes.filter((size) => {
          const label = size.parentElement;
          return size.checkVisibility() && label !== null && size.scrollWidth > label.clientWidth;
        }).length,
    );
    expect(cut).toBe(0);
    const title = page.getByText('Memory map', { exact: true });
    expect((await title.boundingBox())?.height).toBeLessThan(24);
    const name = page.getByRole('cell', { name: /^wirebench-demo-esp32\.bin/ });
    expect((await name.boundingBox())?.width).toBeGreaterThan(width === 390 ? 140 : 230);
    // With the result there is a column more, and the monitor has its buttons in one line.
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(page.getByText('Verified', { exact: false }).first()).toBeVisible();
    expect((await name.boundingBox())?.width).toBeGreaterThan(200);
    const save = await page.getByRole('button', { name: 'Save the monitor’s log' }).boundingBox();
    const close = await page.getByRole('button', { name: 'Close', exact: true }).boundingBox();
    expect(Math.abs((save?.y ?? 0) - (close?.y ?? 100))).toBeLessThan(4);
  });
}
