/** The promise "Chrome or Edge (version 89+)" in an old Chromium: every page, its tools, and its layout. */

import type { Locator, Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId, pagePaths, staticPages } from '@wirebench/contract';
import { expect, signIn, test } from '../../old-browser/fixture.ts';
import { expectToFit } from '../../support/fits.ts';
import { serveCopy } from '../../support/served-copy.ts';
import { connectDemo, demoRelease, result, writeButton } from '../flasher-steps.ts';
import { choose } from '../menu-steps.ts';
import { account } from '../sign-in-steps.ts';
import {
  loadOutput,
  log,
  message,
  prompt,
  saved,
  sha256,
  startDemo,
  startRecording,
  tryDemo,
  type,
} from '../terminal-steps.ts';

const chromiumVersion = async (page: Page): Promise<number> =>
  Number(/Chrome\/(\d+)/.exec(await page.evaluate(() => navigator.userAgent))?.[1]);

const tooltips = (page: Page) => page.getByRole('tooltip', { includeHidden: true });

test('the home page opens and knows Web Serial; its tooltips and dialogs open; maker signs in, also after a reload', async ({
  page,
}) => {
  await page.goto(pagePaths.home);
  // Proves that no newer browser runs: from version 126 on nothing is polyfilled.
  expect(await chromiumVersion(page)).toBeLessThan(126);
  await expect(page.getByText('Web Serial ready in this browser')).toBeVisible();
  await expectToFit(page);

  await test.step('tooltips are closed, open on hover beside their control, and close again', async () => {
    const button = page.getByRole('button', { name: 'Use light theme' });
    await expect(button).toBeVisible();
    await expect(tooltips(page).filter({ visible: true })).toHaveCount(0);
    await button.hover();
    const tooltip = tooltips(page).filter({ visible: true });
    await expect(tooltip).toHaveText('Use light theme');
    const [text, control] = [await tooltip.boundingBox(), await button.boundingBox()];
    expect((text?.y ?? 0) - ((control?.y ?? 0) + (control?.height ?? 0))).toBeCloseTo(6, 0);
    await page.mouse.move(700, 500);
    await expect(tooltip).toHaveCount(0);
  });

  await test.step('a dialog opens, and closes with Escape', async () => {
    await page.getByRole('button', { name: 'Firmware flasher', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Which chip family?' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  await test.step('maker signs in, and is still there after a reload', async () => {
    await signIn(page, 'maker');
    await page.reload();
    await expect(account(page, 'maker')).toBeVisible();
  });
});

test('the terminal talks to the demo device, and its parts hold on a desktop and a phone', async ({ page }) => {
  const disconnect = page.getByRole('button', { name: 'Disconnect port 1' });
  await startDemo(page);

  await test.step('it talks, and its send bar is in the window', async () => {
    await type(page, 'help');
    await expect(log(page)).toContainText('which addresses answer on the I2C bus');
    await expect(message(page)).toBeInViewport({ ratio: 1 });
    await expectToFit(page);
  });

  await test.step('leaving with an open port asks first', async () => {
    // The browser asks only after a user's action on the page.
    await message(page).click();
    const asked = page.waitForEvent('dialog');
    const left = page.evaluate(() => location.assign('/intro'));
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await left;
    await expect(disconnect).toBeVisible();
  });

  await test.step('the chosen one of several looks chosen', async () => {
    const ground = (name: string) =>
      page
        .getByRole('radio', { name, exact: true })
        .locator('..')
        .evaluate((segment) => getComputedStyle(segment).backgroundColor);
    const chosen = await ground('Text');
    expect(await ground('Hex')).not.toBe(chosen);
    // Moves the focus out of the send field.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+H');
    await expect(page.getByRole('radio', { name: 'Hex', exact: true })).toBeChecked();
    await expect.poll(() => ground('Hex')).toBe(chosen);
    await expect.poll(() => ground('Text')).not.toBe(chosen);
  });

  await test.step('the menu of ways to connect opens', async () => {
    await disconnect.click();
    await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo board');
    await expect(disconnect).toBeVisible();
  });

  await test.step('on a phone the send options are in the row of the field', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const top = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().top);
    const options = page.getByRole('button', { name: /^Send options/ });
    const send = page.getByRole('button', { name: 'Port 1 Send' });
    // The layout follows the window with a delay.
    await expect.poll(async () => (await top(options)) - (await top(message(page)))).toBeLessThan(20);
    await expect(send).toBeVisible();
    await expectToFit(page);
  });
});

test('a recording holds every byte, and says what closing the tab would cost', async ({ page }) => {
  await startDemo(page);
  const stop = await startRecording(page);
  // From Chromium 108 on a recording is written in place, and no warning is needed.
  const warning = page.getByText('Stop the recording before you close this tab.');
  await expect(warning).toHaveCount((await chromiumVersion(page)) < 108 ? 1 : 0);
  await page.getByRole('button', { name: 'Clear' }).click();
  await type(page, 'load 10000 2');
  await expect(log(page)).toContainText('load: 500 lines, 20000 bytes');
  await expect(log(page)).toContainText(prompt);
  const { bytes } = await saved(page, stop);
  expect(sha256(bytes)).toBe(sha256(loadOutput(10_000, 2)));
  await expect(warning).toHaveCount(0);
});

test('a recording that a lost tab left behind is offered on the next visit', { tag: '@long' }, async ({ page }) => {
  await startDemo(page);
  await startRecording(page);
  await type(page, 'help');
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  // The bytes must be in the file within ten seconds, without stopping the recording.
  const recordedBytes = () =>
    page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('recordings');
      let size = 0;
      for await (const [name, handle] of folder.entries()) {
        // Bytes of an unclosed stream are in a file with another name.
        size += name.endsWith('.bin') && handle instanceof FileSystemFileHandle ? (await handle.getFile()).size : 0;
      }
      return size;
    });
  await expect.poll(recordedBytes).toBeGreaterThan(0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(pagePaths.home);
  await page.goto(pagePaths.uart);
  await expect(page.getByText('A recording has not been saved.')).toBeVisible();
  const { bytes } = await saved(page, page.getByRole('button', { name: 'Save', exact: true }));
  expect(bytes.toString()).toContain('which addresses answer on the I2C bus');
});

test('a release page shows its version and its code to scan, and the link of a release flashes the Demo ESP32', async ({
  page,
}) => {
  await page.goto(releasePath('project', demoReleaseId));
  await expect(page.getByRole('heading', { level: 1, name: 'Wirebench demo' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Install', exact: true })).toBeVisible();
  await page.getByText('For developers').click();
  await expect(page.getByRole('img', { name: 'QR code of the link' }).locator('path')).toBeAttached();
  await expectToFit(page);
  await page.goto(demoRelease);
  await connectDemo(page);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expectToFit(page);
});

test('pages for reading and lists open, and fit into a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of [
    ...[pagePaths.intro, pagePaths.uartDocs, pagePaths.espFlasherDocs, pagePaths.releasesDocs, pagePaths.esp32Docs],
    ...[pagePaths.releases, pagePaths.esp32, pagePaths.privacy],
    ...[staticPages.stmFlasher, staticPages.nrfFlasher, staticPages.avrFlasher, staticPages.rpFlasher],
  ]) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expectToFit(page);
    });
  }
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the terminal opens from what was kept, polyfills and all', async ({ page, context }) => {
    await using copy = await serveCopy();
    await page.goto(copy.address);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    await context.setOffline(true);
    copy.cut();
    await page.goto(`${copy.address}${pagePaths.uart}`);
    await tryDemo(page);
  });
});
