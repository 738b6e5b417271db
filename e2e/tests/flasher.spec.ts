/** The Espressif flasher with the simulated ESP32: what a newcomer sees, and what must hold when a cable is pulled. */
import { readFile } from 'node:fs/promises';
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { noise } from '../../scripts/firmware/esp-firmware.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import {
  addFile,
  connectDemo,
  demoRelease,
  interruptWrite,
  monitor,
  plan,
  result,
  unplugMidWrite,
  writeButton,
  writeByKeyboard,
} from './flasher-steps.ts';

test('a release link flashes the Demo ESP32, and the monitor shows its greeting', async ({ page }) => {
  await page.goto(demoRelease);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  await connectDemo(page);
  await expect(plan(page)).toContainText('656 B to write, 3.0 KB is already there');
  let reports = 0;
  page.on('request', (request) => {
    reports += request.url().endsWith('/flashes') ? 1 : 0;
  });
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  // Some of the demo's programs say their name, others only that they are there.
  await expect(result(page)).toContainText(/The board restarted and (is talking|runs wirebench-demo 1\.0\.0)\./);
  await expect(monitor(page)).toContainText('You have flashed this from a release link.');
  // A demo board's flashes do not count for the publisher.
  expect(reports).toBe(0);
});

test('one click flashes again, and nothing is written', async ({ page }) => {
  await page.goto(demoRelease);
  await connectDemo(page);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
  await expect(result(page)).toContainText('All 3.6 KB was already there, verified by hash.');
  await expect(page.getByText('Boards flashed in this session: 1')).toBeVisible();
  await expect(monitor(page)).toContainText('You have flashed this from a release link.');
});

test('a plug that is pulled in mid-write costs only the rest', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await addFile(page, 'storage.bin', noise(768 * 1_024), '0x200000');
  await connectDemo(page);
  await unplugMidWrite(page, 50);
  const [, written = '', same = ''] =
    /([\d.]+) KB written, ([\d.]+) KB was already there/.exec(await result(page).innerText()) ?? [];
  expect(Number(same)).toBeGreaterThanOrEqual(256);
  expect(Number(written) + Number(same)).toBeCloseTo(768);
});

test('a write that is stopped says in what state the board is, and goes on', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await addFile(page, 'storage.bin', noise(512 * 1_024), '0x200000');
  await connectDemo(page);
  await interruptWrite(page, 30, { press: 'Stop' });
  await expect(page.getByRole('alert', { name: 'Stopped in the middle of the write' })).toContainText(
    'will not start its program until it is written again',
  );
  await page.getByRole('button', { name: 'Write the rest' }).click();
  await expect(result(page)).toContainText('Written and verified');
});

test('files that overlap are not written', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await addFile(page, 'one.bin', noise(0x5400), '0x0');
  await addFile(page, 'two.bin', noise(0x1000), '0x5000');
  await expect(page.getByText('Overlaps one.bin')).toBeVisible();
  await expect(page.getByText('1 overlap', { exact: true })).toBeVisible();
  await expect(page.getByText('Fix the overlap and connect a board to start.')).toBeVisible();
  await expect(writeButton(page)).toBeDisabled();
  await page.getByRole('textbox', { name: 'Offset of two.bin' }).fill('0x6000');
  await expect(page.getByText('Connect a board to start.')).toBeVisible();
});

test('a file that is too large is refused before the erase', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await addFile(page, 'storage.bin', noise(0x3000), '0x3fe000');
  await connectDemo(page);
  await expect(page.getByText(/storage\.bin.* ends at .* the flash of this board ends at/)).toBeVisible();
  await expect(page.getByText('Fix this to continue.')).toBeVisible();
  await expect(writeButton(page)).toBeDisabled();
});

test('the placeholder keeps its text and leads to the page that works', async ({ page }) => {
  await page.goto('/app/esp-flasher');
  await expect(page.getByRole('heading', { name: 'ESP Flasher App Coming Soon' })).toBeVisible();
  await page.getByRole('link', { name: 'Open the Espressif flasher' }).click();
  await expect(page).toHaveURL(/\/esp_flasher\.html$/);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Flasher' })).toHaveAttribute(
    'aria-current',
    'page',
  );
});

test('a browser without Web Serial shows a notice, and has the demo', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serial');
  });
  await page.goto(staticPages.espFlasher);
  await expect(
    page.getByText('Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).'),
  ).toBeVisible();
  await connectDemo(page);
});

test('leaving the page while writing warns', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await addFile(page, 'storage.bin', noise(512 * 1_024), '0x200000');
  await connectDemo(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await interruptWrite(page, 1, { leaveFor: '/' });
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await expect(result(page)).toContainText('Written and verified');
});

test('a flash needs no mouse', async ({ page }) => {
  await page.goto(demoRelease);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  await page.getByRole('button', { name: 'Try the Demo ESP32' }).focus();
  await page.keyboard.press('Enter');
  await writeByKeyboard(page);
});

test('a partition is read to a file, and erased after a question', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await connectDemo(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up nvs' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^[\da-f]{12}-nvs-0x9000\.bin$/);
  expect((await readFile(await file.path())).length).toBe(0x6000);
  await page.getByRole('button', { name: 'Erase nvs' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
  await expectToast(page, 'nvs erased');
  await expect(page.getByRole('region', { name: 'On the board' })).toContainText('3 partitions');
});

test('two boards are written at once', async ({ page }) => {
  await page.goto(demoRelease);
  await connectDemo(page);
  await expect(writeButton(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Add a board' }).click();
  await connectDemo(page);
  await page.getByRole('button', { name: 'Write all 2 boards' }).click();
  await expect(page.getByRole('tab', { name: /Done/ })).toHaveCount(2);
  await expect(page.getByText('Boards flashed in this session: 2')).toBeVisible();
});

test('in batch mode a board that is plugged in is flashed by itself', async ({ page }) => {
  await page.goto(demoRelease);
  await connectDemo(page);
  await page.getByRole('switch', { name: 'Flash each board that is plugged in' }).click();
  await writeButton(page).click();
  await expect(page.getByText('Boards flashed in this session: 1')).toBeVisible();
  await page.getByRole('button', { name: 'Unplug' }).click();
  await page.getByRole('button', { name: 'Plug in again' }).click();
  await expect(result(page)).toContainText('The board was restarted.');
  const save = page.getByRole('button', { name: 'Save 2 receipts as CSV' });
  await expect(save).toBeVisible();
  // The same board, which had it already.
  await expect(page.getByText('Boards flashed in this session: 1')).toBeVisible();
  const download = page.waitForEvent('download');
  await save.click();
  const table = await readFile(await (await download).path(), 'utf8');
  expect(table.trim().split('\r\n')).toHaveLength(3);
});

test('a project link loads its newest version, and a dead link explains itself as the release page does', async ({
  page,
}) => {
  await page.goto(`${staticPages.espFlasher}?type=project&id=${demoReleaseId}`);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  await page.getByRole('button', { name: 'Load from release link' }).click();
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

test('an app alone on an erased board is written, but not said to run', async ({ page }) => {
  await page.goto(demoRelease);
  await connectDemo(page);
  await page.getByRole('button', { name: 'Erase all…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click();
  await expectToast(page, 'Whole flash erased');
  await page.getByRole('button', { name: 'Remove all' }).click();
  await addFile(page, 'storage.bin', noise(0x2000), '0x200000');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  const trouble = result(page).getByRole('alert');
  await expect(trouble).toContainText('The board does not start: the flash is empty where its bootloader should be.');
  await expect(trouble).toContainText('Write the complete set: bootloader, partition table and app.');
  await expect(result(page)).not.toContainText(/runs|is talking/);
});

test('a result goes when other files are chosen, and their rows can be edited', async ({ page }) => {
  await page.goto(demoRelease);
  await connectDemo(page);
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await expect(page.getByRole('button', { name: /^Remove / }).first()).toBeVisible();
  await addFile(page, 'more.bin', noise(0x1000), '0x200000');
  await expect(result(page)).toBeHidden();
  await expect(plan(page)).toContainText('Connect the board again to start.');
  await expect(page.getByText('The files below are no longer those of this release.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Offset of more.bin' }).fill('0x10000');
  await expect(page.getByText(/^Overlaps /)).toBeVisible();
  await page.getByRole('button', { name: 'Remove more.bin' }).click();
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(plan(page)).toContainText('nothing needs to be written.');
});
