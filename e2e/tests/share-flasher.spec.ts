/** A bench shared from a flasher, and the state of sharing on other pages. */
import type { Page } from '@playwright/test';
import { esp32BenchPage, staticPages } from '@wirebench/contract';
import { random, randomBytes } from '@wirebench/test-input';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect } from '../support/test.ts';
import { addFile, board, connectDemo, expectInMonitorLog, monitor, result, writeButton } from './flasher-steps.ts';
import { choose } from './menu-steps.ts';
import { makeLink, nameOfFailure, setRight, share, shareBar, shareDialog, test } from './share-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { log, startDemo } from './terminal-steps.ts';

const at115200 = { baudRate: 115_200 };

const flasherShare = (page: Page) => choose(page.getByRole('button', { name: 'More actions' }), 'Share board');

test.describe('a bench that is shared', () => {
  /** Shares the flasher, signed in and with the simulated board in its bootloader. */
  async function shareFlasher(page: Page): Promise<string> {
    await page.goto(staticPages.espFlasher);
    await signIn(page, 'maker');
    await connectDemo(page);
    await flasherShare(page);
    return makeLink(page);
  }

  test('from a flasher has no barrier, fits, shows a flash to guests, and gives them the board when the flasher has released it', async ({
    page,
    visit,
  }) => {
    const link = await shareFlasher(page);
    await test.step('the request of a guest fits each window', async () => {
      const guest = await visit(link, 'Maximiliane Featherstonehaugh-Cholmondeley');
      guest.remote.ask(1, 'use');
      await expect(shareBar(page).getByRole('status')).toContainText('asks to use port 1');
      expect(await findings(page)).toEqual([]);
      await flasherShare(page);
      await expect(shareDialog(page)).toBeVisible();
      expect(await findings(page)).toEqual([]);
      for (const [width, height] of [
        [1_024, 768],
        [720, 450],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expectToFit(page);
        await expect(shareDialog(page).getByRole('button', { name: /^Allow/ })).toBeVisible();
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
      await page.keyboard.press('Escape');
      await expect(shareDialog(page)).toBeHidden();
      guest.remote.leave();
      await expect(shareBar(page)).toContainText('Shared, no guest yet');
    });

    const aylin = await visit(link, 'Aylin K.');
    await expect.poll(() => aylin.remote.status.ports[0]?.name).toMatch(/, in the flasher$/);
    await setRight(page, 'Aylin K.', 'Use');
    await aylin.hasRight(1, 'use');
    await expect.poll(() => aylin.remote.serial.portAt(1)).not.toBeNull();
    const open = () => aylin.remote.serial.portAt(1)?.open(at115200) ?? Promise.reject();
    expect(await nameOfFailure(open())).toBe('NetworkError');

    await addFile(page, 'data.bin', randomBytes(60_000, random('file that a guest reads along')), '0x110000');
    await writeButton(page).click();
    await expect(result(page)).toContainText('Written and verified');
    await expectInMonitorLog(page, 'Port 1 connected');
    await expect.poll(() => aylin.sent(1).length).toBeGreaterThan(40_000);
    await expect.poll(() => aylin.received(1)).toContain('rst:0x1');
    await expect.poll(() => aylin.received(1)).toContain('main: esp32 with its factory firmware.');

    await open();
    await expect(result(page)).toContainText('Aylin K. uses this board.');
    await monitor(page).press('End');
    await expect(monitor(page)).toBeFocused();
    const below = () => monitor(page).evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
    await expect.poll(below).toBeLessThanOrEqual(1);
    // The board restarts when its port is opened and again when the monitor resets it. The lines of the second start
    // may come after this notice.
    await expectInMonitorLog(page, 'Aylin K. uses port 1 from now on. You see what passes.');
    await result(page).getByRole('button', { name: 'Take back port 1 from Aylin K.' }).click();
    await expect(board(page)).toContainText('Disconnect');
    await aylin.hasRight(1, 'type');
    // The button is gone, and the focus stays in the same region.
    await expect.poll(() => result(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await shareBar(page).getByRole('button', { name: 'Stop sharing' }).click();
    await aylin.ended('ended');
  });

  test('keeps its bar on every page of the app, and asks before a link ends it', async ({ page, visit }) => {
    await startDemo(page);
    await signIn(page, 'maker');
    const link = await share(page);
    const jonas = await visit(link, 'Jonas W.');
    await expect(shareBar(page)).toHaveCount(1);
    for (const [name, heading] of [
      ['Releases', 'Firmware Release Manager'],
      ['Docs', 'Firmware releases'],
    ] as const) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(shareBar(page)).toContainText('Shared with 1 guest');
      await expect(shareBar(page)).toHaveCount(1);
      await expectToFit(page);
    }
    expect(await findings(page)).toEqual([]);
    jonas.remote.ask(1, 'type');
    await shareBar(page).getByRole('button', { name: 'Allow Jonas W.' }).click();
    await jonas.hasRight(1, 'type');

    await page.getByRole('banner').getByRole('link', { name: 'Flasher', exact: true }).click();
    await page.waitForURL(`**${staticPages.espFlasher}`);
    await expect(shareBar(page)).toContainText('Shared with 1 guest');
    await expect(shareBar(page)).toHaveCount(1);
    expect(jonas.remote.status.state).toBe('joined');

    await page.getByRole('banner').getByRole('link', { name: 'ESP32 bench', exact: true }).click();
    const bench = page.getByRole('link', { name: 'Open the bench' });
    await bench.click();
    const question = page.getByRole('dialog', { name: 'Leave this page and stop sharing?' });
    await expect(question).toContainText('the link stops working and 1 guest is disconnected');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    expect(jonas.remote.status.state).toBe('joined');
    await page.getByRole('banner').getByRole('link', { name: 'Terminal', exact: true }).click();
    await expect(log(page)).toBeVisible();
    await expect(shareBar(page)).toHaveCount(1);

    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('banner').getByRole('link', { name: 'ESP32 bench', exact: true }).click();
    await bench.click();
    await question.getByRole('button', { name: 'Stop sharing and leave' }).click();
    await page.waitForURL(`**${esp32BenchPage}`);
    await jonas.ended('ended');
    await expect(shareBar(page)).toBeHidden();
  });
});
