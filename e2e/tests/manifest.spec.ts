/** A release with a build for each of several chips, opened by the address of its manifest at another host. */
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { manifestFiles, manifestHost } from '../support/manifest-host.ts';
import { expect, test } from '../support/test.ts';
import { connectOther, monitor, plan, result, writeButton } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';

const open = (page: Page, manifest: string) =>
  page.goto(`${staticPages.espFlasher}?${new URLSearchParams({ manifest })}`);
const alert = (page: Page) => page.getByRole('alert');

/** Writes the plan, and waits for the output of the program. */
async function write(page: Page, says: string): Promise<void> {
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(monitor(page)).toContainText(says);
}

test('each board gets its own build, and only its files are loaded', async ({ page }) => {
  await using host = await manifestHost(manifestFiles(['esp32', 'esp32c3', 'esp32s3']));
  await open(page, `${host.address}/lamp/manifest.json`);
  await expect(page.getByRole('heading', { name: 'Lamp', level: 1 })).toBeVisible();
  await expect(page.getByText(`from ${host.host}, not from this server`)).toBeVisible();
  for (const chip of ['ESP32', 'ESP32-C3', 'ESP32-S3']) {
    await expect(page.getByText(chip, { exact: true }).first()).toBeVisible();
  }
  expect(host.asked).toEqual(['/lamp/manifest.json']);
  await connectOther(page, 'Demo ESP32-S3');
  await expect(plan(page)).toContainText('Your board is an ESP32-S3');
  expect(host.asked.slice(1).every((path) => path.startsWith('/lamp/esp32s3/'))).toBe(true);
  await write(page, 'Lamp on ESP32-S3');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await connectOther(page, 'Demo ESP32-C3');
  await expect(plan(page)).toContainText('Your board is an ESP32-C3');
  await write(page, 'Lamp on ESP32-C3');
  expect(host.asked.some((path) => path.startsWith('/lamp/esp32/'))).toBe(false);
});

test('a board without a build is refused in a sentence that names the others', async ({ page }) => {
  await using host = await manifestHost(manifestFiles(['esp32', 'esp32s3']));
  await open(page, `${host.address}/lamp/manifest.json`);
  await connectOther(page, 'Demo ESP32-C3');
  await expect(plan(page)).toContainText('Not possible');
  await expect(plan(page)).toContainText('This board is an ESP32-C3, but the release is for ESP32 and ESP32-S3');
  await expect(plan(page).getByRole('button', { name: 'Connect another board' })).toBeVisible();
  await expect(writeButton(page)).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
  expect(host.asked).toEqual(['/lamp/manifest.json']);
});

test('the message tells a host without CORS headers from one that cannot be reached', async ({ page }) => {
  const closed = await manifestHost({});
  await closed[Symbol.asyncDispose]();
  await using host = await manifestHost(manifestFiles(['esp32']), { cors: false });
  await open(page, `${host.address}/lamp/manifest.json`);
  await expect(alert(page).first()).toContainText(
    `The server of ${host.host} does not send the header Access-Control-Allow-Origin`,
  );
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await open(page, `${closed.address}/lamp/manifest.json`);
  await expect(alert(page).first()).toContainText(`${closed.host} could not be reached`);
});

test('the address is also taken by the dialog, and a missing file can be loaded again', async ({ page }) => {
  const files = manifestFiles(['esp32', 'esp32c3']);
  const [missing = ''] = Object.keys(files).filter((path) => path.startsWith('/lamp/esp32/'));
  const { [missing]: content = '', ...others } = files;
  const served: Record<string, string | Uint8Array> = others;
  await using host = await manifestHost(served);
  await page.goto(staticPages.espFlasher);
  await choose(page.getByRole('button', { name: 'Other ways to add files' }), 'Load from release link');
  const dialog = page.getByRole('dialog', { name: 'Load from release link' });
  await dialog.getByRole('textbox', { name: 'Release link' }).fill(`${host.address}/lamp/manifest.json`);
  await dialog.getByRole('button', { name: 'Load' }).click();
  await expect(page.getByRole('heading', { name: 'Lamp', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).click();
  await expect(plan(page)).toContainText(`${host.host} answered 404`);
  served[missing] = content;
  await plan(page).getByRole('button', { name: 'Try again' }).click();
  await expect(plan(page)).toContainText('Your board is an ESP32');
  await write(page, 'Lamp on ESP32');
});
