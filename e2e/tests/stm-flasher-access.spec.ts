/** The STM32 flasher's page for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { expectToFitPhone, expectUnplugWithoutFindings, expectWriteWithoutFindings } from './flasher-access-steps.ts';
import { chooseFile, openSettings, writeButton } from './flasher-steps.ts';
import { connectStmDemo, flashFast, program } from './stm-flasher-steps.ts';

test('the STM32 flasher is without findings, empty, protected, planned, done and failed, and fits a phone', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(staticPages.stmFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  await expectToFitPhone(page);
  await expect(page.getByText('Starting the bootloader')).toHaveCount(0);
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Starting the bootloader' }).selectOption('manual');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Starting the bootloader' }).selectOption('usual');
  await openSettings(page);
  await flashFast(page);
  await chooseFile(page, 'boiler.bin', program(2_048));
  await connectStmDemo(page, 'Demo STM32F103, read-protected');
  await expect(page.getByRole('region', { name: 'Read protection' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await connectStmDemo(page);
  await expect(writeButton(page)).toBeEnabled();
  expect(await findings(page)).toEqual([]);
  await expectWriteWithoutFindings(page);
  await expectUnplugWithoutFindings(page);
});
