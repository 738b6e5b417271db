/**
 * The terminal by keyboard in a real browser: the reach of the arrow keys, and the reading position while a phone is
 * turned.
 */
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { foldDock, log, showPanels, startDemo, type } from './terminal-steps.ts';

test('turning a phone, or looking at the panels, leaves the lines where they were read', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  await type(page, 'load 4000 1');
  await expect(log(page)).toContainText('load: 100 lines');
  const first = log(page)
    .getByText('ESP-ROM')
    .or(log(page).getByText(/^ets /))
    .or(log(page).getByText('rst:0x1'))
    .first();
  await log(page).press('Home');
  await expect(first).toBeInViewport();
  for (const away of ['turned', 'panels'] as const) {
    if (away === 'turned') {
      await page.setViewportSize({ width: 844, height: 390 });
      await expect(first).toBeInViewport();
      await page.setViewportSize({ width: 390, height: 844 });
    } else {
      await showPanels(page);
      await foldDock(page);
    }
    await expect(first).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Jump to newest' })).toHaveAttribute('aria-pressed', 'false');
  }
  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await page.setViewportSize({ width: 844, height: 390 });
  await expect(log(page).getByText('load: 100 lines').last()).toBeInViewport();
});

test('the arrow keys walk along the toolbar, which is one stop of the Tab key; an open menu is in a landmark', async ({
  page,
}) => {
  await startDemo(page);

  await test.step('the arrow keys walk along the toolbar, which is one stop of the Tab key', async () => {
    const toolbar = page.getByRole('toolbar', { name: 'Console', exact: true });
    await page.getByRole('textbox', { name: 'Find in the console' }).focus();
    await page.keyboard.press('Tab');
    await expect(toolbar.getByRole('button', { name: 'View' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(toolbar.getByRole('button', { name: 'Save the log' })).toBeFocused();
    await page.keyboard.press('End');
    await expect(toolbar.getByRole('button', { name: 'Share' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(toolbar.getByRole('button', { name: 'View' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(log(page)).toBeFocused();
  });

  await test.step('an open menu is in a landmark, and nothing hidden in it takes the focus', async () => {
    await page.getByRole('button', { name: 'Save the log' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    expect(await findings(page, { landmarks: true, rules: ['region', 'aria-hidden-focus'] })).toEqual([]);
    await page.keyboard.press('Escape');
    await type(page, 'info');
    await expect(log(page)).toContainText('Wirebench demo board');
  });
});
