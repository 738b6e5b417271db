import type { Route } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test, withMotion } from '../support/test.ts';

test.use(withMotion);

test('the home page says what it is, and is used by keyboard alone and with the pointer, without findings', async ({
  page,
}) => {
  await page.goto('/');
  const readout = page.getByTestId('readout');
  await expect(readout).toBeVisible();
  await expect(page.getByText(/^Wirebench is in beta\./)).toBeVisible();
  await expect(page.getByText('Web Serial ready in this browser')).toBeVisible();
  await expect(page.getByText('More Coming Soon', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Read the introduction' })).toHaveAttribute('href', '/intro');
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/privacy');
  await expect(page.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/terms');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await findings(page)).toEqual([]);

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('link', { name: 'Serial terminal' })).toBeFocused();
  await expect(readout).toContainText('Up to four ports in one console');
  await page.keyboard.press('ArrowRight');
  const flasher = page.getByRole('button', { name: 'Firmware flasher', exact: true });
  await expect(flasher).toBeFocused();
  await expect(readout).toContainText('Writes and verifies firmware straight from this browser');

  await page.keyboard.press('Enter');
  const chooser = page.getByRole('dialog', { name: 'Which chip family?' });
  await expect(chooser.getByRole('link', { name: /Espressif/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(chooser.getByRole('link', { name: /STM32.*Experimental/ })).toBeFocused();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(chooser).toBeHidden();
  await expect(flasher).toBeFocused();

  await page.keyboard.press('Tab');
  const watch = page.getByRole('button', { name: 'Watch the Firmware flasher video' });
  await expect(watch).toBeFocused();
  await page.keyboard.press('Enter');
  const video = page.getByRole('dialog', { name: 'Firmware flasher' });
  await expect(video).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(video).toBeHidden();
  await expect(watch).toBeFocused();

  await page.keyboard.press('Shift+Tab');
  await expect(flasher).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('link', { name: 'Serial terminal' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/uart');
  await expect(page).toHaveTitle('Serial terminal: Wirebench');

  await page.goBack();
  await test.step('a click outside closes the video', async () => {
    await page.getByRole('button', { name: 'Watch the Serial terminal video' }).click();
    const dialog = page.getByRole('dialog', { name: 'Serial terminal' });
    await expect(dialog).toBeVisible();
    await page.mouse.click(8, 8);
    await expect(dialog).toBeHidden();
    // The hash is from the skip link used before.
    await expect(page).toHaveURL('/#main');
  });

  await test.step('a card describes itself under the pointer, and leads on with a click', async () => {
    await page.getByRole('listitem').filter({ hasText: 'Firmware releases' }).hover();
    await expect(readout).toContainText('Keeps the versions of your firmware');
    await page.getByRole('listitem').filter({ hasText: 'ESP32 bench' }).click();
    await expect(page).toHaveURL('/app/wirebench-esp32');
  });
});

test('an unknown address is kept, explained, without findings, and leads home', async ({ page }) => {
  const response = await page.goto('/app/no-such-tool?x=1');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'There is no page at this address' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('/app/no-such-tool');
  await expect(page).toHaveURL('/app/no-such-tool?x=1');
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Failed to open popup.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page.getByRole('heading', { name: 'Your bench, in a browser tab' })).toBeVisible();
  await expect(page).toHaveTitle('Wirebench');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a page whose code cannot be fetched offers to reload, and the rest goes on', async ({ page }) => {
  await page.route('**/assets/terminal-page-*.js', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('link', { name: 'Serial terminal' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await page.unroute('**/assets/terminal-page-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeHidden();
  await expect(page).toHaveURL('/app/uart');
});

test('a page whose code the browser cannot run says so, and nothing of the server', async ({ page }) => {
  await page.route('**/assets/terminal-page-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'Promise.notThere();' }),
  );
  await page.goto('/');
  await page.getByRole('link', { name: 'Serial terminal' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'This browser could not run this page' });
  await expect(failure).toContainText(/This is Chrome \d+\. Update the browser/);
  await expect(failure).toContainText('Promise.notThere is not a function');
  await expect(failure).not.toContainText('server');
});

for (const [what, answer] of [
  ['cannot be fetched', (route: Route) => route.abort()],
  ['cannot be run', (route: Route) => route.fulfill({ contentType: 'text/javascript', body: 'Promise.notThere();' })],
] as const) {
  test(`a document whose own script ${what} is no empty page`, async ({ page, faults }) => {
    await page.route(/\/assets\/(?:index|main|esp_flasher)-[^/]+\.js$/, answer);
    for (const path of ['/', '/esp_flasher.html']) {
      await page.goto(path);
      await expect(
        page.getByText('Wirebench could not start. Reload the page, or open it in a current Chrome, Edge or Firefox.'),
      ).toBeVisible();
    }
    // Drops the faults of the script that the test itself replaced.
    faults.splice(0);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('everything fits, and the menu leads to the tools, without findings', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectToFit(page);
    // The explanation of the beta takes the window's width, with the feedback link below it.
    const beta = await page.getByText(/^Wirebench is in beta\./).boundingBox();
    const feedback = await page.getByText('To send feedback, sign in.').boundingBox();
    expect(beta?.width).toBeGreaterThan(300);
    expect(feedback?.y).toBeGreaterThanOrEqual((beta?.y ?? 0) + (beta?.height ?? 0));
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await expect(navigation).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(navigation).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await navigation.getByRole('link', { name: 'Releases' }).click();
    await expect(page).toHaveURL('/app/releases');
    await expect(navigation).toBeHidden();
    await expectToFit(page);
  });
});
