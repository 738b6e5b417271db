/** Sharing with an old Chromium at either end of the link: its own cryptography, sockets and worker. */
import { mergeTests } from '@playwright/test';
import { expect, test as oldBrowser, signIn } from '../../old-browser/fixture.ts';
import { expectToFit } from '../../support/fits.ts';
import { SharedBench } from '../../support/shared-bench.ts';
import { banner, guest, openLink } from '../live-steps.ts';
import { share, shareBar, shareDialog, test as sharing } from '../share-steps.ts';
import { bearer } from '../sign-in-steps.ts';
import { log, startDemo, type } from '../terminal-steps.ts';

const test = mergeTests(sharing, oldBrowser);

test('a guest watches, is allowed to type, and uses the port', { tag: '@long' }, async ({ page }) => {
  await page.goto('/');
  await signIn(page, 'maker');
  const bench = await SharedBench.share((await bearer(page)).authorization);
  try {
    await openLink(page, bench.link);
    await bench.type('help\r');
    await expect(log(page)).toContainText('which addresses answer on the I2C bus');
    await bench.setRight(guest, 'type');
    await type(page, 'uptime');
    await expect(log(page)).toContainText('uptime');
    await bench.setRight(guest, 'use');
    await banner(page).getByRole('button', { name: 'Use port 1', exact: true }).click();
    await page.getByRole('button', { name: 'Settings of port 1' }).click();
    await expect(page.getByRole('switch', { name: 'DTR' })).toBeVisible();
    await expectToFit(page);
  } finally {
    await bench.stop();
  }
});

test('a bench is shared, and a guest gets a port', { tag: '@long' }, async ({ page, visit }) => {
  await startDemo(page);
  await signIn(page, 'maker');
  const aylin = await visit(await share(page), 'Aylin K.');
  await type(page, 'version');
  await expect.poll(() => aylin.received(1)).toContain('version');
  await shareBar(page).getByRole('button', { name: 'Share' }).click();
  await shareDialog(page).getByRole('combobox', { name: 'Aylin K., port 1' }).selectOption('Use');
  await aylin.hasRight(1, 'use');
  await expectToFit(page);
});
