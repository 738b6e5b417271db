/** The Nordic flasher with a simulated board: from files to the result, and the handling of release links. */
import { demoReleaseId, staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToFitPhone } from './flasher-access-steps.ts';
import { board, monitor, plan, writeByKeyboard } from './flasher-steps.ts';

test('an nRF52840 with the secure bootloader is found out, flashed and started without a mouse, and without findings', async ({
  page,
}) => {
  await page.goto(staticPages.nrfFlasher);
  await expect(page.getByText('Experimental', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Try the Demo nRF52840' }).focus();
  await page.keyboard.press('Enter');
  await expect(board(page)).toContainText('Secure DFU (nRF5 SDK)');
  await expect(board(page)).toContainText('nRF52840');
  await page.getByRole('button', { name: 'Use demo firmware' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Application for secure DFU, version 2, signed')).toBeVisible();
  await expect(plan(page)).toContainText('Write 1 file, 60.0 KB');
  await expectToFitPhone(page);
  await writeByKeyboard(page);
  await expect(monitor(page)).toContainText('demo firmware version 2');
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});

test('a release link is not passed over: it leads to the flasher of its family, a dead one says so', async ({
  page,
}) => {
  await page.goto(`${staticPages.nrfFlasher}?type=version&id=AAAAAAAAAAAAAAAAAAAAAA`);
  await expect(page.getByText('There is no release at this link.')).toBeVisible();
  await page.goto(`${staticPages.nrfFlasher}?type=version`);
  await expect(page.getByText('This link is incomplete.')).toBeVisible();
  await page.goto(`${staticPages.nrfFlasher}?type=version&id=${demoReleaseId}`);
  await expect(page.getByText('Wirebench demo is for Espressif chips.')).toBeVisible();
  await page.getByRole('link', { name: 'Open it in the flasher for Espressif chips' }).click();
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(staticPages.espFlasher);
});
