/** From the ESP32 page to a board that runs the product's own firmware from flash, and the page's report about it. */
import { releasePath } from '@wirebench/boards';
import { pagePaths, probeReleaseIds, sharedFirmwarePaths, staticPages } from '@wirebench/contract';
import { expect, test } from '../support/test.ts';
import { connectDemo, connectOther, expectNoWrite, monitor, plan, result, writeButton } from './flasher-steps.ts';

test('Flash Latest Release leads to a release that the Demo ESP32 runs, and the flasher says what it heard', async ({
  page,
}) => {
  await page.goto(pagePaths.esp32);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Flash Latest Release', exact: true }).click();
  const release = await opened;
  await expect(release.getByRole('heading', { level: 1, name: 'Wirebench probe for ESP32' })).toBeVisible();
  await release.getByRole('heading', { name: /^New in/ }).click();
  await expect(release.getByText('no longer starts').last()).toBeVisible();
  await expect(release.getByText('no real board yet').last()).toBeVisible();
  await expect(release.getByText('How to go back.').last()).toBeVisible();

  await release.getByRole('link', { name: 'Install', exact: true }).click();
  await connectDemo(release);
  await expect(release.getByText('takes the place of the bootloader at 0x1000')).toBeVisible();
  await expect(release.getByText('partition table contain')).toHaveCount(0);
  await expect(writeButton(release)).toBeEnabled();
  await writeButton(release).click();
  await expect(result(release)).toContainText('Written and verified');
  await expect(result(release)).toContainText('The board restarted and runs Wirebench probe.');
  await expect(monitor(release)).toContainText('entry 0x400900');
});

test('the release for the ESP32-C3 runs on a Demo ESP32-C3, and is refused on an ESP32', async ({ page }) => {
  await page.goto(pagePaths.esp32);
  await expect(page.getByRole('link', { name: 'its release' })).toHaveAttribute(
    'href',
    new RegExp(`${probeReleaseIds.esp32c3}$`),
  );
  await page.goto(`${staticPages.espFlasher}?type=version&id=${probeReleaseIds.esp32c3}`);
  await connectOther(page, 'Demo ESP32-C3');
  await writeButton(page).click();
  await expect(result(page)).toContainText('The board restarted and runs Wirebench probe.');

  await page.goto(`${staticPages.espFlasher}?type=version&id=${probeReleaseIds.esp32c3}`);
  await connectDemo(page);
  await expect(plan(page)).toContainText('This file is for ESP32-C3, this board is an ESP32');
  await expectNoWrite(page);
});

test('no account owns it: a signed-out visitor reads it, and its files are the committed ones', async ({ request }) => {
  for (const id of Object.values(probeReleaseIds)) {
    expect((await request.get(releasePath('version', id))).ok()).toBe(true);
    const { project, version } = await (await request.get(sharedFirmwarePaths.item('version', id))).json();
    expect(project).toMatchObject({ publisher: 'wirebench', demo: false });
    const [{ _id: file, sha256 }] = version.files;
    const answer = await request.get(sharedFirmwarePaths.file('version', id, file));
    expect(answer.headers()['etag']).toContain(sha256);
  }
});
