/**
 * A flasher with a board that another person shares. The host and its board are in this process, the relay is the
 * product's own.
 */
import { staticPages } from '@wirebench/contract';
import { random, randomBytes } from '@wirebench/test-input';
import { SharedBench } from '../support/shared-bench.ts';
import { expect } from '../support/test.ts';
import { addFile, board, result, writeButton } from './flasher-steps.ts';
import { guest, test } from './live-steps.ts';
import { choose } from './menu-steps.ts';

test('a shared board is asked for, planned, written and verified, with its hash back from the chip', async ({
  page,
  authorization,
}) => {
  const bench = await SharedBench.share(authorization, 'esp32');
  await page.goto(staticPages.espFlasher);
  await choose(page.getByRole('button', { name: 'Other ways to connect a board' }), 'Use a shared board');
  await page.getByRole('textbox', { name: 'Link of the shared bench' }).fill(bench.link.replace(/#.*/, ''));
  await page.getByRole('textbox', { name: 'Your name' }).fill(guest);
  await page.getByRole('button', { name: 'Open the link' }).click();
  await expect(page.getByText('The key is the part behind')).toBeVisible();
  await page.getByRole('textbox', { name: 'Link of the shared bench' }).fill(bench.link);
  await page.getByRole('button', { name: 'Open the link' }).click();
  await page.getByRole('button', { name: 'Ask to use S3 gateway' }).click();
  await expect.poll(() => bench.asked(guest)).toBe('use');
  await bench.setRight(guest, 'use');
  await page.getByRole('button', { name: 'Connect S3 gateway' }).click();
  await expect(board(page)).toContainText('Ready');
  await addFile(page, 'data.bin', randomBytes(100_000, random('file of a guest')), '0x110000');
  await expect(writeButton(page)).toBeEnabled();
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  await bench.stop();
});
