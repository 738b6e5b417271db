/**
 * The Espressif flasher with the simulated ESP32: from a release or a file to the result, and leaving during a write.
 */
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { noise } from '../../scripts/firmware/esp-firmware.ts';
import { expect, test } from '../support/test.ts';
import { expectToFitPhone } from './flasher-access-steps.ts';
import {
  addFile,
  board,
  connectDemo,
  demoRelease,
  expectInMonitorLog,
  leaveMidWrite,
  monitor,
  plan,
  result,
  writeByKeyboard,
} from './flasher-steps.ts';
import { choose } from './menu-steps.ts';

test('a release link flashes the Demo ESP32 without a mouse, and the monitor shows its greeting; flashed again, nothing is written', async ({
  page,
}) => {
  await page.goto(demoRelease);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  await expectToFitPhone(page);
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).focus();
  await page.keyboard.press('Enter');
  await expect(board(page)).toContainText('Ready');
  await expect(plan(page)).toContainText('3.0 KB is already there.');
  let reports = 0;
  page.on('request', (request) => {
    reports += request.url().endsWith('/flashes') ? 1 : 0;
  });
  await writeByKeyboard(page);
  // Some demo programs print their name, others only a sign of life.
  await expect(result(page)).toContainText(/The board restarted and (is talking|runs wirebench-demo 1\.0\.0)\./);
  await expect(monitor(page)).toContainText('You have flashed this from a release link.');
  // The monitor has the flasher's own lines, and there is no log beside it.
  await expectInMonitorLog(page, 'written and verified in');
  await expect(page.getByRole('button', { name: 'Log', exact: true })).toHaveCount(0);
  // Flashes of a demo board are not reported to the publisher.
  expect(reports).toBe(0);

  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
  await expect(result(page)).toContainText('All 3.6 KB was already there, verified by hash.');
  // Receipt and counter come with the second board. The menu of the board has the receipt of the first.
  await expect(page.getByText('in this session')).toHaveCount(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Save receipt' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(monitor(page)).toContainText('You have flashed this from a release link.');
  expect(reports).toBe(0);
});

test('leaving the page while writing warns', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await addFile(page, 'storage.bin', noise(192 * 1_024), '0x200000');
  await connectDemo(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await leaveMidWrite(page, 1, '/');
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await expect(result(page)).toContainText('Written and verified');
});

test('the placeholder leads to the page that works; a project link loads its newest version, and a dead link explains itself as the release page does', async ({
  page,
}) => {
  await page.goto('/app/esp-flasher');
  await expect(page.getByRole('heading', { name: 'ESP Flasher App Coming Soon' })).toBeVisible();
  await page.getByRole('link', { name: 'Open the Espressif flasher' }).click();
  await expect(page).toHaveURL(/\/esp_flasher\.html$/);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  const flasher = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Flasher' });
  await expect(flasher).toHaveAttribute('aria-current', 'page');

  await page.goto(`${staticPages.espFlasher}?type=project&id=${demoReleaseId}`);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  await page.getByRole('button', { name: 'Files and settings' }).click();
  await choose(page.getByRole('button', { name: 'Add files' }), 'Load from release link');
  await page
    .getByRole('textbox', { name: 'Release link' })
    .fill('/release.html?type=version&id=AAAAAAAAAAAAAAAAAAAAAA');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  const explanation = page.getByRole('alert').filter({ hasText: 'There is no release at this link.' });
  await expect(explanation).toContainText('It may have been made private or deleted since the link was shared.');
  await expect(explanation.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.goto(`${staticPages.espFlasher}?type=version`);
  await expect(page.getByRole('alert').filter({ hasText: 'This link is incomplete.' })).toBeVisible();
});
