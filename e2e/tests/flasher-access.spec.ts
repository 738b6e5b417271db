/** The flasher's page for a screen reader, in both themes, and on a phone. */
import { staticPages } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { expectToFitPhone, expectUnplugWithoutFindings, expectWriteWithoutFindings } from './flasher-access-steps.ts';
import { addFile, connectDemo, expectNoWrite, writeButton } from './flasher-steps.ts';

test('the flasher is without findings, empty, refused, planned, done and failed, and fits a phone', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await expectToFitPhone(page);
  await addFile(page, 'storage.bin', Buffer.alloc(0x3000, 7), '0x3fe000');
  await connectDemo(page);
  await expectNoWrite(page);
  expect(await findings(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Offset of storage.bin' }).fill('0x200000');
  await expect(writeButton(page)).toBeEnabled();
  await expectWriteWithoutFindings(page);
  await expectUnplugWithoutFindings(page);
});
