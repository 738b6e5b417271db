/** The Arduino flasher's page for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { connectAvrDemo, sketch } from './avr-flasher-steps.ts';
import { expectToFitPhone, expectUnplugWithoutFindings, expectWriteWithoutFindings } from './flasher-access-steps.ts';
import { chooseFile, failure, openSettings, writeButton } from './flasher-steps.ts';

test('the Arduino flasher is without findings, empty, by hand, failed, planned and done, and fits a phone', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(staticPages.avrFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  await expectToFitPhone(page);
  await expect(page.getByText('Starting the bootloader')).toHaveCount(0);
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Starting the bootloader' }).selectOption('hand');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Starting the bootloader' }).selectOption('lines');
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('19200');
  await page.getByRole('button', { name: 'Try the Demo Uno' }).click();
  await expect(failure(page)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  // One in the settings, and one among the ways to connect.
  await expect(page.getByRole('combobox', { name: 'Starting the bootloader' })).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('');
  await chooseFile(page, 'greenhouse.ino.hex', sketch(4_096));
  await connectAvrDemo(page);
  await expect(writeButton(page)).toBeEnabled();
  expect(await findings(page)).toEqual([]);
  await expectWriteWithoutFindings(page);
  await expectUnplugWithoutFindings(page);
});
