/** The flasher's page for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectUnplugWithoutFindings, expectWriteToFit, expectWriteWithoutFindings } from './flasher-access-steps.ts';
import { addFile, connectDemo, demoRelease, writeButton } from './flasher-steps.ts';

test('the flasher is without findings, empty, refused, planned, done and failed', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await addFile(page, 'storage.bin', Buffer.alloc(0x3000, 7), '0x3fe000');
  await connectDemo(page);
  await expect(page.getByText('Fix this to continue.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Offset of storage.bin' }).fill('0x200000');
  await expect(writeButton(page)).toBeEnabled();
  await expectWriteWithoutFindings(page);
  await expectUnplugWithoutFindings(page);
});

test('the flasher fits a phone from the release to the receipt', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(demoRelease);
  await expect(page.getByText('From release Wirebench demo 1.0.0')).toBeVisible();
  await expectToFit(page);
  await connectDemo(page);
  await expectWriteToFit(page);
});
