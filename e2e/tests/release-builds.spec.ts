/** A release of this server with a build for each of three chips, on simulated boards. */

import type { Page } from '@playwright/test';
import { flasherPath, releasePath } from '@wirebench/boards';
import { staticPages, type Version } from '@wirebench/contract';
import { type EspChipName, espFirmwareSet } from '@wirebench/devices';
import { expect, test } from '../support/test.ts';
import { uniqueName } from '../support/unique-name.ts';
import { connectOther, openSettings, plan, result, writeButton } from './flasher-steps.ts';
import { ownerOn } from './release-steps.ts';
import { signIn } from './sign-in-steps.ts';

const filesFor = (chip: EspChipName) =>
  espFirmwareSet({ chip, project: 'lamp', version: '3.0.0', text: `Lamp on ${chip}\r\n` }).flatMap(
    ({ name, offset, data }) =>
      offset === null ? [] : [{ name: `${chip}-${name}`, offset, bytes: Buffer.from(data) }],
  );

interface Published extends AsyncDisposable {
  readonly version: Version;
}

/** Publishes a version for an ESP32, an ESP32-C3 and an ESP32-S3, and removes its project at the end. */
async function publish(page: Page): Promise<Published> {
  await page.goto('/');
  await signIn(page, 'tinkerer');
  const owner = await ownerOn(page);
  const project = await owner.newProject(uniqueName('Lamp'));
  const chips = ['esp32', 'esp32c3', 'esp32s3'] as const;
  const version = await owner.newBuilds(
    project,
    '3.0.0',
    chips.map((deviceModel) => ({ deviceModel, files: filesFor(deviceModel) })),
  );
  await owner.setPublic(project, true);
  await owner.setPublic(version, true);
  return { version, [Symbol.asyncDispose]: () => owner.remove(project) };
}

test('one link serves three chips, and refuses the others', async ({ page }) => {
  await using published = await publish(page);
  const { version } = published;
  await page.goto(flasherPath('esp', 'version', version.shareId));
  for (const chip of ['ESP32', 'ESP32-C3', 'ESP32-S3']) {
    await connectOther(page, `Demo ${chip}`);
    await expect(plan(page)).toContainText(`Your board is an ${chip}`);
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByText('Connect your board')).toBeVisible();
  }
});

test('in batch mode each board is written with its own build', async ({ page }) => {
  await using published = await publish(page);
  const { version } = published;
  await page.goto(flasherPath('esp', 'version', version.shareId));
  await connectOther(page, 'Demo ESP32-C3');
  await expect(plan(page)).toContainText('Your board is an ESP32-C3');
  await page.getByRole('button', { name: 'Files and settings' }).click();
  await openSettings(page);
  await page.getByRole('switch', { name: /^Batch/ }).click();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(page.getByRole('table', { name: 'Boards of this batch' })).toContainText('ESP32-C3');
});

test('the link of a release is opened as a manifest too, and says whose it is', async ({ page }) => {
  await using published = await publish(page);
  const { version } = published;
  const link = new URL(releasePath('version', version.shareId), page.url()).href;
  await page.goto(`${staticPages.espFlasher}?${new URLSearchParams({ manifest: link })}`);
  await expect(page.getByText(/^by tinkerer/)).toBeVisible();
  await expect(page.getByText('not from this server')).toHaveCount(0);
  await expect(page.getByText('Checked against the publisher’s SHA-256')).toBeVisible();
  await connectOther(page, 'Demo ESP32-S3');
  await expect(plan(page)).toContainText('Your board is an ESP32-S3');
});
