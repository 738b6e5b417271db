/** State that outlives a flasher's page, and the coordination of two such pages, through Chromium's own Web Serial. */
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { noise } from '../../../scripts/firmware/esp-firmware.ts';
import { expect, test } from '../../web-serial/esp-fixture.ts';
import { addFile, board, failure, openFacts, openSettings, result, writeButton } from '../flasher-steps.ts';

const kibibyte = 1_024;

const choosePort = (page: Page) => page.getByRole('button', { name: 'Connect a board', exact: true }).click();
const busy = (page: Page) => failure(page);
const askForRelease = (page: Page) => page.getByRole('button', { name: 'Ask the other tab to release it' }).click();

async function secondTab(page: Page): Promise<Page> {
  const second = await page.context().newPage();
  await second.goto(staticPages.espFlasher);
  return second;
}

test.use({ start: staticPages.espFlasher, chip: { chip: 'esp32s3', mac: '24:0A:C4:5E:01:7F' } });

test('a later page shows the history of a board and releases the waiting board to another tab', async ({
  terminal: page,
  device,
}) => {
  const history = (on: Page) => on.getByRole('region', { name: 'History of this board' });
  await addFile(page, 'storage.bin', noise(8 * kibibyte), '0x200000');
  await choosePort(page);
  await expect(board(page)).toContainText('Ready');
  await openFacts(page);
  await expect(history(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await openFacts(page);
  await expect(history(page).getByRole('listitem')).toHaveText([/storage\.bin/]);
  // Leaving needs no confirmation, because the board runs its own program.
  await page.reload();
  await choosePort(page);
  await expect(board(page)).toContainText('Ready');
  await openFacts(page);
  await expect(history(page).getByRole('listitem')).toHaveText([/storage\.bin/]);
  await history(page).getByRole('button', { name: 'Forget this board' }).click();
  await expect(history(page)).toHaveCount(0);
  await page.keyboard.press('Escape');

  await expect(board(page)).toContainText('Ready');
  const second = await secondTab(page);
  await choosePort(second);
  await expect(busy(second)).toContainText('a board in the flasher');
  await askForRelease(second);
  await expect(board(second)).toContainText(device.mac.toLowerCase());
  await expect(busy(second)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Connect a board', exact: true })).toBeVisible();
});

test.describe('a board that is being written', () => {
  // At the ROM's rate this write takes a minute and a half, longer than all other steps of the test.
  test.use({ line: { baudRate: 115_200, paced: true } });

  test('is given to no other tab', async ({ terminal: page }) => {
    await openSettings(page);
    await page.getByRole('combobox', { name: 'Baud' }).selectOption('115200');
    await addFile(page, 'storage.bin', noise(1_024 * kibibyte), '0x200000');
    await choosePort(page);
    await expect(writeButton(page)).toBeEnabled();
    await writeButton(page).click();
    await expect(page.getByRole('progressbar', { name: 'Written and verified' })).toBeVisible();
    const second = await secondTab(page);
    await choosePort(second);
    await expect(busy(second)).toContainText('a board in the flasher');
    await askForRelease(second);
    await expect(busy(second)).toContainText('The other tab keeps it');
  });
});
