/**
 * A bench shared by a link: the host in a browser with a demo device, guests through the relay of the product's
 * server.
 */
import { findings } from '../support/accessibility.ts';
import { expectToBeReached, expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { openShareDialog, pressTo, share, shareBar, shareDialog, shownLink, tabTo, test } from './share-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { log, message, startDemo } from './terminal-steps.ts';

test.describe('a shared bench', () => {
  test('is shared, raised, answered, taken back and ended by keyboard alone; fits its windows and has no barrier', async ({
    page,
    visit,
    arrive,
  }) => {
    await startDemo(page);
    await signIn(page, 'maker');
    const button = page.locator('[data-share-button="toolbar"]');

    await test.step('by keyboard alone', async () => {
      await tabTo(page, page.getByRole('toolbar', { name: 'Console' }));
      await pressTo(page, 'ArrowRight', button);
      await page.keyboard.press('Enter');
      await expect(shareDialog(page)).toBeVisible();
      await tabTo(page, shareDialog(page).getByRole('button', { name: 'Make a link' }));
      await page.keyboard.press('Enter');
      const link = await shownLink(page);
      const [aylin, priya] = [await visit(link, 'Aylin K.'), await visit(link, 'Priya S.')];
      const right = shareDialog(page).getByRole('combobox', { name: 'Aylin K., port 1' });
      await tabTo(page, right);
      await page.keyboard.press('ArrowDown');
      await aylin.hasRight(1, 'type');
      // The guest may receive the right before the dialog shows it.
      await expect(right).toHaveValue('type');
      await page.keyboard.press('ArrowDown');
      await aylin.hasRight(1, 'use');
      priya.remote.ask(1, 'type');
      await tabTo(page, shareDialog(page).getByRole('button', { name: 'Allow Priya S.' }));
      await page.keyboard.press('Enter');
      await priya.hasRight(1, 'type');
      // The button is gone, and the focus stays in the dialog.
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
      await arrive(link, 'Jonas W.').ended('no-such-room');
    });

    await test.step('the dialog is beside the log, and a sheet in small windows; it closes with one Escape', async () => {
      await button.click();
      await expect(shareDialog(page)).toBeVisible();
      expect(await findings(page)).toEqual([]);
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
        if (width > 720) {
          // No row of the log is covered.
          const [dialog, rows] = await Promise.all([shareDialog(page).boundingBox(), log(page).boundingBox()]);
          expect((rows?.x ?? 0) + (rows?.width ?? 0)).toBeLessThanOrEqual(dialog?.x ?? 0);
          expect(await findings(page)).toEqual([]);
        }
      }
      await page.keyboard.press('Escape');
      await expect(shareDialog(page)).toBeHidden();
      await expect(button).toBeFocused();
    });

    await page.setViewportSize({ width: 1_440, height: 900 });
    await test.step('stays while the console is used, and gives the focus back to its button', async () => {
      await button.click();
      await expect(shareDialog(page)).toBeFocused();
      await message(page).click();
      await expect(shareDialog(page)).toBeVisible();
      await expect(message(page)).toBeFocused();
      await shareDialog(page).getByRole('button', { name: 'Close' }).click();
      await expect(shareDialog(page)).toHaveCount(0);
      await expect(button).toBeFocused();
    });

    const link = await share(page);
    const name = 'Maximiliane Featherstonehaugh-Cholmondeley';
    const [aylin, guest] = [await visit(link, 'Aylin K.'), await visit(link, name)];

    await test.step('with a guest who uses a port, and one who asks', async () => {
      await shareBar(page).getByRole('button', { name: 'Share' }).click();
      await shareDialog(page).getByRole('combobox', { name: 'Aylin K., port 1' }).selectOption('Use');
      await expect.poll(() => aylin.remote.serial.portAt(1)).not.toBeNull();
      await aylin.remote.serial.portAt(1)?.open({ baudRate: 115_200 });
      guest.remote.ask(1, 'type');
      await expect(shareDialog(page)).toContainText(`${name} asks to type on port 1`);
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      aylin.remote.leave();
      await expect(shareBar(page)).toContainText('Shared with 1 guest');
    });

    await test.step('with a long name that asks, in each window', async () => {
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
        await expectToBeReached(shareDialog(page).getByRole('rowheader'));
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

  test('asks a visitor to sign in, keeps the ports open, and ends with its tab after a warning', async ({
    page,
    visit,
    arrive,
  }) => {
    await startDemo(page);
    await openShareDialog(page);
    const opened = page.waitForEvent('popup');
    await shareDialog(page).getByRole('button', { name: 'Sign in and share' }).click();
    const popup = await opened;
    await popup.getByRole('button', { name: /\bmaker\b/ }).click();
    await expect(shareBar(page)).toContainText('Shared, no guest yet');
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
    const link = await shownLink(page);
    await page.keyboard.press('Escape');
    await expect(shareDialog(page)).toBeHidden();

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
});
