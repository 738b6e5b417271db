/** The Raspberry Pi flasher with simulated boards: from the demo firmware or a file to the result, over USB and the drive. */
import { readFile } from 'node:fs/promises';
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { expectToFitPhone } from './flasher-access-steps.ts';
import {
  board,
  chooseFile,
  expectNoWrite,
  failure,
  monitor,
  openFacts,
  plan,
  result,
  writeButton,
  writeByKeyboard,
} from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { connectRpDemo, greeting, uf2 } from './rp-flasher-steps.ts';

test('a Pico is flashed with the demo firmware without a mouse, read back, and heard in the monitor', async ({
  page,
}) => {
  await page.goto(staticPages.rpFlasher);
  await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
  await expectToFitPhone(page);
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try the Demo Pico' }).focus();
  await page.keyboard.press('Enter');
  await expect(board(page)).toContainText('Ready');
  const facts = await openFacts(page);
  for (const fact of ['RP2040 B2', '2 MB', 'Simulated']) {
    await expect(facts).toContainText(fact);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await expect(plan(page)).toContainText('Write 1 file, 128.0 KB');
  await page.getByRole('button', { name: 'In the files' }).click();
  await expect(page.getByRole('heading', { name: 'Will this image start here? Yes' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await writeByKeyboard(page);
  await expect(monitor(page)).toContainText('Hello from the program that you have just flashed.');
  await expect(result(page)).toContainText('The board restarted and is talking.');
  const download = page.waitForEvent('download');
  await choose(page.getByRole('button', { name: 'More actions' }), 'Save receipt');
  const receipt = await readFile(await (await download).path(), 'utf8');
  expect(receipt).toMatch(/^board {4}RP2040.*, demo board$/m);
  expect(receipt).toMatch(/^flash {4}0x10000000 131072 bytes read back, SHA-256 [\da-f]{64}$/m);
  await page.getByRole('button', { name: 'Flash again' }).click();
  await expect(result(page)).toContainText('Nothing to write');
  expect(await findings(page)).toEqual([]);
});

test('a program for a Pico 2 is refused for a Pico before a byte is written', async ({ page }) => {
  await page.goto(staticPages.rpFlasher);
  await chooseFile(page, 'greenhouse.uf2', uf2('rp2350'));
  await connectRpDemo(page);
  await expect(page.getByText('"greenhouse.uf2" was built for RP2350')).toBeVisible();
  await expectNoWrite(page);
  expect(await findings(page)).toEqual([]);
});

test('a Pico 2 takes its program, and a Pico without a driver takes it through its drive', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto(staticPages.rpFlasher);
  await chooseFile(page, 'greenhouse.uf2', uf2('rp2350'));
  await connectRpDemo(page, 'Demo Pico 2');
  await expect(board(page)).toContainText('RP2350');
  await writeByKeyboard(page);
  await expect(monitor(page)).toContainText(greeting);
  await page.reload();
  await chooseFile(page, 'greenhouse.uf2', uf2('rp2040'));
  await choose(page.getByRole('button', { name: 'Other ways to connect a board' }), 'Demo Pico, drive only', {
    exact: true,
  });
  await expect(failure(page)).toContainText('interface 1 of "RP2 Boot"');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Copy to its drive' }).click();
  await expect(page.getByText('The file is copied to the drive of the board')).toBeVisible();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written, not verified');
  await expect(monitor(page)).toContainText(greeting);
  expect(await findings(page)).toEqual([]);
});
