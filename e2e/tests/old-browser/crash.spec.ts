/** A core dump in an old Chromium: recognised, read and explained with its ELF file in that browser's worker. */
import { expect, test } from '../../old-browser/fixture.ts';
import { expectToFit } from '../../support/fits.ts';
import { startDemo, type } from '../terminal-steps.ts';

test('the demo board crashes, and its stack is shown with variables', async ({ page }) => {
  await startDemo(page);
  await type(page, 'crash null');
  await page.getByRole('button', { name: 'View the crash' }).press('Enter');
  const dump = page.getByRole('article', { name: 'Core dump' });
  await dump.getByRole('button', { name: "Use the demo's ELF file" }).click();
  const frames = dump.getByRole('list', { name: 'Frames, innermost first' }).getByRole('listitem');
  await expect(frames).toHaveCount(4);
  await expect(frames.first()).toContainText('read_sensor');
  await expect(dump.getByRole('row', { name: /^sensor struct sensor \* 0x0 / })).toBeVisible();
  await expectToFit(page);
});
