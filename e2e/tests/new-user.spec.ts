/** A newcomer's actions, without a board and without reading: click the most prominent buttons. */
import { pagePaths } from '@wirebench/contract';
import { expect, test, withMotion } from '../support/test.ts';
import { connectDemo, monitor, result, writeButton } from './flasher-steps.ts';
import { log, tryDemo, type } from './terminal-steps.ts';

test.use(withMotion);

test('from the home page to a flashed and monitored Demo ESP32, by the ESP32 bench', async ({ page, context }) => {
  await page.goto(pagePaths.home);
  await page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: 'ESP32 bench' }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Flash Latest Release' }).first().click();
  const release = await opened;
  await release.getByRole('link', { name: 'Install', exact: true }).click();
  await connectDemo(release);
  await writeButton(release).click();
  await expect(result(release)).toContainText('Written and verified');
  // The ROM prints its boot log, then the probe greets with binary frames.
  await expect(monitor(release)).toContainText('SPI_FAST_FLASH_BOOT');
  await expect(result(release)).toContainText('runs Wirebench probe');
});

test('from the home page to a first answer of the demo device', async ({ page }) => {
  await page.goto(pagePaths.home);
  await page.getByRole('link', { name: 'Serial terminal' }).first().click();
  await tryDemo(page);
  await expect(log(page)).toContainText("type 'help' for the list of commands");
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
});

test('a demo board offers three things to try, and the offers go for good once all were tried', async ({ page }) => {
  await page.addInitScript(() => localStorage.removeItem('wirebench.demo-tried'));
  await page.goto('/app/uart');
  await page.getByRole('button', { name: 'Try the demo board' }).click();
  const offers = page.getByRole('region', { name: 'Demo board' });
  await expect(offers).toContainText('Three things to try with it');

  await offers.getByRole('button', { name: /^Crash it/ }).click();
  await expect(offers.getByRole('button', { name: /^Done Crash it Seen: wirebench_demo\.c, line \d+$/ })).toBeVisible();
  await expect(
    page
      .getByRole('region', { name: 'Stacks' })
      .or(page.getByText(/\.c:\d+/))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('log')).toContainText('ready, type');

  await offers.getByRole('button', { name: /^Plot it/ }).click();
  await expect(page.getByRole('list', { name: 'Curves' })).toContainText('humidity');

  await offers.getByRole('button', { name: /^Share it/ }).click();
  await expect(page.getByRole('dialog', { name: /Share/ })).toBeVisible();
  await expect(offers).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('wirebench.demo-tried'))).toBe('yes');
});

test('the offers of a demo board are closed for good', async ({ page }) => {
  await page.addInitScript(() => localStorage.removeItem('wirebench.demo-tried'));
  await page.goto('/app/uart');
  await page.getByRole('button', { name: 'Try the demo board' }).click();
  await page.getByRole('button', { name: 'Close what to try' }).click();
  await expect(page.getByRole('region', { name: 'Demo board' })).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('wirebench.demo-tried'))).toBe('yes');
});
