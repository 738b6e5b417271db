/** Device panels by keyboard, on a phone, beside and over the console, and for axe; and the quick guide. */
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { aim, edit, option, pane, panel, pin, row, send } from './panels-steps.ts';
import { log, message, openTerminal, startDemo } from './terminal-steps.ts';

test('panels by keyboard alone', async ({ page }) => {
  await startDemo(page);
  await panel(page).getByRole('textbox', { name: 'Add a command' }).focus();
  await page.keyboard.type('help');
  await page.keyboard.press('Enter');
  await page.keyboard.type('stop');
  await page.keyboard.press('Enter');
  await panel(page).getByRole('button', { name: 'Target of Device 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Port 1' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('button', { name: 'Target of Device 1: Port 1' })).toBeFocused();
  for (const reached of [
    'JKit library for Device 1',
    'Options of Device 1',
    'Run all',
    'Line ending of Device 1',
    'Send help',
  ]) {
    await page.keyboard.press('Tab');
    await expect(
      panel(page).getByRole(/ending/.test(reached) ? 'combobox' : 'button', { name: reached }),
    ).toBeFocused();
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(log(page)).toContainText('nothing is running');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(send(page, 'stop')).toBeFocused();
  await expect(panel(page).getByRole('listitem').first()).toContainText('stop');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Delete');
  await expect(panel(page).getByRole('button', { name: 'Delete help' })).toBeFocused();
});

test('the quick guide opens with its key, also where the settings are put away', async ({ page }) => {
  await openTerminal(page);
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('heading', { name: 'Device panels', level: 3 })).toBeVisible();
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('heading', { name: 'Device panels', level: 3 })).toHaveCount(0);
  await message(page).pressSequentially('why?');
  await expect(page.getByRole('button', { name: 'Quick guide' })).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('button', { name: 'Fold the settings' }).click();
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('button', { name: 'Quick guide' })).toHaveAttribute('aria-expanded', 'true');
});

test('below 900 px the panels lie over the log, and Escape closes them', async ({ page }) => {
  await page.setViewportSize({ width: 860, height: 768 });
  await startDemo(page);
  const button = page.getByRole('button', { name: 'Device panels', exact: true });
  await button.click();
  await pin(page, 'help');
  await aim(page, 'Port 1');
  expect(await findings(page)).toEqual([]);
  await send(page, 'help').click();
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await option(page, 'help', 'Edit');
  await page.keyboard.press('Escape');
  await expect(send(page, 'help')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(pane(page)).toHaveCount(0);
  await expect(button).toBeFocused();
});

for (const theme of ['dark', 'light'] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.use({
      storageState: async ({ baseURL }, use) => {
        const localStorage = [{ name: 'wirebench.theme', value: theme }];
        await use({ cookies: [], origins: [{ origin: baseURL ?? '', localStorage }] });
      },
    });

    test('the panels are without findings: blocked, answered, refused and about to be deleted', async ({ page }) => {
      await startDemo(page);
      await pin(page, 'help');
      await pin(page, 'adc 0');
      await expect(panel(page).getByText('2 / 50')).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await aim(page, 'Port 1');
      await edit(page, 'help', { 'Wait for': 'reboot' });
      await send(page, 'help').click();
      await expect(row(page, 'help')).toContainText('ms');
      await pin(page, 'help');
      await panel(page).getByRole('button', { name: 'Delete adc 0' }).click();
      expect(await findings(page)).toEqual([]);
    });

    test('the forms of a message and the quick guide are without findings', async ({ page }) => {
      await openTerminal(page);
      await pin(page, 'help');
      await option(page, 'help', 'Repeat…');
      await page.getByRole('button', { name: 'Quick guide' }).click();
      expect(await findings(page)).toEqual([]);
      await option(page, 'help', 'Edit');
      await page.getByRole('textbox', { name: 'Then pause' }).fill('x');
      await page.keyboard.press('Enter');
      await expect(page.getByText(/Enter a whole number/)).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });

    test('the panels of a phone are without findings', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await startDemo(page);
      await page.getByRole('navigation', { name: 'Terminal' }).getByRole('button', { name: 'Panels' }).click();
      await pin(page, 'help');
      await aim(page, 'Port 1');
      expect(await findings(page)).toEqual([]);
    });
  });
}

test('on a phone the panels are a place of their own, with rows for a thumb', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  const place = (name: string) =>
    page.getByRole('navigation', { name: 'Terminal' }).getByRole('button', { name, exact: true });
  await place('Panels').click();
  await pin(page, 'info');
  await aim(page, 'Port 1');
  expect((await row(page, 'info').boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await send(page, 'info').click();
  await place('Console').click();
  await expect(log(page)).toContainText('Wirebench demo board');
  await place('Panels').click();
  await edit(page, 'info', { 'Wait for': 'mac' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
