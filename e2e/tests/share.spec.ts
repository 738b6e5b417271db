/** A bench that is shared by a link: the host in a browser with a demo device, guests over the relay of the product's server. */
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import {
  nameOfFailure,
  openShareDialog,
  pressTo,
  setRight,
  share,
  shareBar,
  shareDemo,
  shareDialog,
  tabTo,
  test,
} from './share-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { log, message, prompt, startDemo, type } from './terminal-steps.ts';

const text = (value: string) => new TextEncoder().encode(value);

test.describe('a shared bench', () => {
  test('is watched, typed into with the right to, and not after its guest was removed', async ({ page, visit }) => {
    const link = await shareDemo(page);
    const jonas = await visit(link, 'Jonas W.');
    await expect(shareBar(page)).toContainText('Shared with 1 guest');
    await type(page, 'version');
    await expect.poll(() => jonas.received(1)).toMatch(prompt);
    expect(jonas.received(1)).toContain('version');
    expect(await nameOfFailure(jonas.remote.type(1, text('help\r\n')))).toBe('NotAllowedError');

    await message(page).focus();
    jonas.remote.ask(1, 'type');
    await expect(shareBar(page).getByText('Jonas W. asks to type on port 1', { exact: true })).toBeVisible();
    // Asking takes nobody's focus.
    await expect(message(page)).toBeFocused();
    await shareBar(page).getByRole('button', { name: 'Allow Jonas W.' }).click();
    await jonas.hasRight(1, 'type');
    await jonas.remote.type(1, text('info\r\n'));
    await expect(log(page).locator('[data-author="typed by Jonas W."]')).toContainText('info');
    await expect.poll(() => jonas.received(1)).toContain('115200 8N1');

    await shareBar(page).getByRole('button', { name: 'Share' }).click();
    await shareDialog(page).getByRole('button', { name: 'Remove Jonas W.' }).click();
    await jonas.ended('expelled');
    await expect(shareDialog(page)).toContainText('Nobody has opened the link yet.');
  });

  test('gives a port to a guest and takes it back, and the link ends with Stop', async ({ page, visit, arrive }) => {
    const link = await shareDemo(page);
    const aylin = await visit(link, 'Aylin K.');
    await setRight(page, 'Aylin K.', 'Use');
    await aylin.hasRight(1, 'use');
    await expect.poll(() => aylin.remote.serial.portAt(1)).not.toBeNull();
    await aylin.remote.serial.portAt(1)?.open({ baudRate: 115_200 });
    await expect(log(page)).toContainText('Aylin K. uses port 1 from now on. You see what passes.');
    await expect(page.getByRole('tab', { name: 'used by Aylin K.' })).toBeVisible();
    await expect(shareBar(page)).toContainText('uses port 1');
    const writer = aylin.remote.serial.portAt(1)?.writable?.getWriter();
    await writer?.write(text('version\r\n'));
    await expect(log(page).locator('[data-author="Aylin K."]')).toContainText('version');
    // As one presses it: the button in the bar.
    await shareBar(page).getByRole('button', { name: 'Take back port 1 from Aylin K.' }).click();
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
    await aylin.hasRight(1, 'type');

    await shareBar(page).getByRole('button', { name: 'Stop sharing' }).click();
    await expect(shareBar(page)).toBeHidden();
    await aylin.ended('ended');
    await arrive(link, 'Priya S.').ended('no-such-room');
  });

  test('has a dialog that stays beside its button in a window that becomes smaller, and closes with one Escape', async ({
    page,
  }) => {
    await startDemo(page);
    await signIn(page, 'maker');
    const button = page.getByRole('main').getByRole('button', { name: 'Share', exact: true }).last();
    await button.click();
    await expect(shareDialog(page)).toBeVisible();
    for (const [width, height] of [
      [1_024, 768],
      [720, 450],
      [390, 844],
      [720, 450],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expectToFit(page);
      await expect(button).toBeVisible();
      await expect(shareDialog(page)).toBeInViewport({ ratio: 0.99 });
    }
    const [dialog, anchor] = await Promise.all([shareDialog(page).boundingBox(), button.boundingBox()]);
    expect(Math.abs((dialog?.x ?? 0) - (anchor?.x ?? 0))).toBeLessThan((dialog?.width ?? 0) + 40);
    await page.keyboard.press('Escape');
    await expect(shareDialog(page)).toBeHidden();
    await expect(button).toBeFocused();
  });

  test('is shared, raised, answered, taken back and ended by keyboard alone', async ({ page, visit }) => {
    await startDemo(page);
    await signIn(page, 'maker');
    const button = page.getByRole('main').getByRole('button', { name: 'Share', exact: true }).last();
    await tabTo(page, page.getByRole('toolbar', { name: 'More console actions' }));
    await pressTo(page, 'ArrowRight', button);
    await page.keyboard.press('Enter');
    await expect(shareDialog(page)).toBeVisible();
    await tabTo(page, shareDialog(page).getByRole('button', { name: 'Make a link' }));
    await page.keyboard.press('Enter');
    const shown = shareDialog(page).locator('p[title]');
    await expect(shown).toBeVisible();
    const aylin = await visit((await shown.getAttribute('title')) ?? '', 'Aylin K.');
    const priya = await visit((await shown.getAttribute('title')) ?? '', 'Priya S.');
    const right = shareDialog(page).getByRole('combobox', { name: 'Aylin K., port 1' });
    await tabTo(page, right);
    await page.keyboard.press('ArrowDown');
    await aylin.hasRight(1, 'type');
    // The guest may hear of it before the dialog does.
    await expect(right).toHaveValue('type');
    await page.keyboard.press('ArrowDown');
    await aylin.hasRight(1, 'use');
    priya.remote.ask(1, 'type');
    await tabTo(page, shareDialog(page).getByRole('button', { name: 'Allow Priya S.' }));
    await page.keyboard.press('Enter');
    await priya.hasRight(1, 'type');
    // The button is gone, and the focus is still in the dialog.
    await expect
      .poll(() => shareDialog(page).evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect(shareDialog(page)).toBeHidden();
    await expect(button).toBeFocused();
    await expect.poll(() => aylin.remote.serial.portAt(1)).not.toBeNull();
    await aylin.remote.serial.portAt(1)?.open({ baudRate: 115_200 });
    await tabTo(page, shareBar(page).getByRole('button', { name: 'Take back port 1 from Aylin K.' }));
    await page.keyboard.press('Enter');
    await aylin.hasRight(1, 'type');
    await tabTo(page, shareBar(page).getByRole('button', { name: 'Stop sharing' }));
    await page.keyboard.press('Enter');
    await aylin.ended('ended');
    await expect(shareBar(page)).toBeHidden();
    await expect(page.locator('main :focus')).toHaveCount(1);
  });

  test('ends with its tab, which warns first', async ({ page, visit, arrive }) => {
    const link = await shareDemo(page);
    await page.getByRole('button', { name: 'Disconnect port 1' }).click();
    await expect(page.getByRole('button', { name: 'Connect port 1' }).first()).toBeVisible();
    const jonas = await visit(link, 'Jonas W.');
    const warned = page.waitForEvent('dialog');
    const reload = page.reload();
    const dialog = await warned;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();
    await reload;
    await jonas.ended('ended');
    await expect(shareBar(page)).toBeHidden();
    await arrive(link, 'Priya S.').ended('no-such-room');
  });

  test('leads a visitor to sign in, and keeps the ports open meanwhile', async ({ page }) => {
    await startDemo(page);
    await openShareDialog(page);
    const opened = page.waitForEvent('popup');
    await shareDialog(page).getByRole('button', { name: 'Sign in and share' }).click();
    const popup = await opened;
    await popup.getByRole('button', { name: /\bmaker\b/ }).click();
    await expect(shareBar(page)).toContainText('Shared, no guest yet');
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  });

  test('says why there is no link', async ({ page }) => {
    await startDemo(page);
    await signIn(page, 'maker');
    await page.route('**/api/live/rooms', (route) =>
      route.fulfill({
        status: 503,
        json: {
          error: 'Sharing is not available right now.',
          message: 'Sharing is not available right now.',
          code: 'live-unavailable',
        },
      }),
    );
    await openShareDialog(page);
    await shareDialog(page).getByRole('button', { name: 'Make a link' }).click();
    await expect(shareDialog(page).getByRole('alert')).toContainText('Sharing is not available right now.');
    await page.unroute('**/api/live/rooms');
    await shareDialog(page).getByRole('button', { name: 'Make a link' }).click();
    await expect(shareBar(page)).toBeVisible();
  });

  test('has no barrier: the dialog before and after, a guest who uses a port, one who asks', async ({
    page,
    visit,
  }) => {
    await startDemo(page);
    await signIn(page, 'maker');
    await openShareDialog(page);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const link = await share(page);
    const aylin = await visit(link, 'Aylin K.');
    const priya = await visit(link, 'Priya S.');
    await shareBar(page).getByRole('button', { name: 'Share' }).click();
    await shareDialog(page).getByRole('combobox', { name: 'Aylin K., port 1' }).selectOption('Use');
    await expect.poll(() => aylin.remote.serial.portAt(1)).not.toBeNull();
    await aylin.remote.serial.portAt(1)?.open({ baudRate: 115_200 });
    priya.remote.ask(1, 'type');
    await expect(shareDialog(page)).toContainText('Priya S. asks to type on port 1');
    expect(await findings(page)).toEqual([]);
  });

  test('fits a phone and small windows, with somebody who asks', async ({ page, visit }) => {
    const link = await shareDemo(page);
    const name = 'Maximiliane Featherstonehaugh-Cholmondeley';
    const guest = await visit(link, name);
    for (const [width, height] of [
      [390, 844],
      [720, 450],
      [1_024, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      guest.remote.ask(1, 'use');
      await expect(shareBar(page).getByRole('status')).toContainText('asks to use port 1');
      await expectToFit(page);
      await shareBar(page).getByRole('button', { name: 'Share' }).click();
      await expect(shareDialog(page).getByRole('button', { name: /^Allow/ })).toBeVisible();
      await expect(shareDialog(page).getByRole('rowheader')).toContainText('Maximiliane');
      await shareDialog(page).getByRole('rowheader').scrollIntoViewIfNeeded();
      await expect(shareDialog(page).getByRole('rowheader')).toBeInViewport();
      await shareDialog(page)
        .getByRole('button', { name: /^Allow/ })
        .click();
      await guest.hasRight(1, 'use');
      await expectToFit(page);
      await shareDialog(page)
        .getByRole('combobox', { name: `${name}, port 1` })
        .selectOption('Watch');
      await guest.hasRight(1, 'watch');
      await page.keyboard.press('Escape');
    }
  });
});
