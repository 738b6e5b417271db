/** The terminal by keyboard alone, on a phone, checked with axe, and without Web Serial. */
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { log, message, openTerminal, prompt, startDemo, tryDemo, type } from './terminal-steps.ts';

test('the terminal is without findings, empty, at work, paused and waiting; the skip link leads to the message field', async ({
  page,
}) => {
  await openTerminal(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(message(page)).toBeFocused();
  expect(await findings(page)).toEqual([]);
  await tryDemo(page);
  await type(page, 'help');
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('9600');
  await message(page).fill('x'.repeat(257));
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('radio', { name: 'Hex', exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Unplug' }).click();
  await expect(page.getByText('The board on Port 1 is gone.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'View' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a demo session by keyboard alone', async ({ page }) => {
  await openTerminal(page);
  const pressUntil = async (key: string, reached: () => Promise<boolean>) => {
    for (let presses = 0; presses < 60 && !(await reached()); presses++) {
      await page.keyboard.press(key);
    }
    expect(await reached()).toBe(true);
  };
  const focusIs = (name: string | RegExp, role: 'tab' | 'button' | 'radio' | 'textbox') => async () =>
    page
      .getByRole(role, { name })
      .first()
      .evaluate((element) => element === document.activeElement);

  await pressUntil('Tab', focusIs(/^Port 1 /, 'tab'));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: /^Port 2 / })).toBeFocused();
  await expect(page.getByRole('tab', { name: /^Port 2 / })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await pressUntil('Tab', focusIs('Try the demo board', 'button'));
  await page.keyboard.press('Enter');
  await expect(log(page)).toContainText(prompt);
  await expect(message(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(log(page)).toBeFocused();
  await page.keyboard.press('Shift+H');
  await expect(log(page)).toContainText('64 65 6D 6F 3E 20');
  await page.keyboard.press('Shift+H');
  await pressUntil('Tab', focusIs('Message', 'textbox'));
  await page.keyboard.type('info');
  await page.keyboard.press('Enter');
  await expect(log(page)).toContainText('Wirebench demo board');
  await page.keyboard.press('ArrowUp');
  await expect(message(page)).toHaveValue('info');
  await pressUntil('Shift+Tab', () => log(page).evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Home');
  await expect(page.getByText('Jump to newest')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.getByText('Following')).toBeVisible();
});

test('on a phone a port’s settings open over the log, without findings', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await startDemo(page);
  expect(await findings(page)).toEqual([]);
  await type(page, 'help');
  await expect(log(page)).toContainText('restart');
  await expect(page.getByRole('button', { name: 'Port 1 Send' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Port 2 Send' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  const sheet = page.getByRole('dialog', { name: 'Port 1 settings' });
  await expect(sheet).toBeInViewport();
  expect(await findings(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Disconnect' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(log(page)).toContainText('Port 1 disconnected');
  await expectToFit(page);
});

test.describe('in a browser without Web Serial', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serial'));
  });

  test('the terminal says so, and the demo device works all the same', async ({ page }) => {
    await page.goto('/app/uart');
    await expect(
      page.getByText('Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).'),
    ).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await tryDemo(page);
  });
});
