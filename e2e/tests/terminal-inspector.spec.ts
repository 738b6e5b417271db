/** The inspector of the hex view: bytes selected with the pointer, and its layout. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { openScripted } from './scripted-port.ts';
import { log, message, openTerminal } from './terminal-steps.ts';

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const value = (page: Page, label: string) =>
  inspector(page)
    .locator('div', { has: page.getByText(label, { exact: true }) })
    .getByRole('definition');

/** Shows one line of 22 bytes, which takes two rows. */
async function openHex(page: Page): Promise<void> {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say([0xb5, 0x62, 0x0b, 0x04, 0x46, 0x00, ...Buffer.from('ROM SPG 5.1000\r'), 0x0a]);
  await page.getByText('Hex', { exact: true }).click();
  await expect(log(page)).toContainText('B5 62 0B 04');
}

/** Drags over the first `count` bytes of the row with `text`. */
async function mark(page: Page, text: string, count: number): Promise<void> {
  const box = await log(page).getByText(text).boundingBox();
  // A row has 48 digits and blanks beside the padding.
  const byte = ((box?.width ?? 0) * 3) / 50;
  const y = (box?.y ?? 0) + 10;
  await page.mouse.move((box?.x ?? 0) + 2, y);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + byte, y);
  await page.mouse.move((box?.x ?? 0) + byte * count - byte / 3, y);
  await page.mouse.up();
}

test('a byte is marked with a double click, and rows with the keyboard; the inspector is without findings, also on a phone', async ({
  page,
}) => {
  await openHex(page);

  await test.step('a byte is marked with a double click, and rows with the keyboard', async () => {
    const row = log(page).locator('[data-hex]').last();
    await row
      .getByText('31 30', { exact: false })
      .first()
      .dblclick({ position: { x: 8, y: 10 } });
    await expect(value(page, 'Selection')).toHaveText('1 B at 0x0010');
    await page.keyboard.press('Shift+ArrowRight');
    await expect(value(page, 'Selection')).toHaveText('2 B at 0x0010');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(value(page, 'Selection')).toHaveText('22 B at 0x0000');
    await page.keyboard.press('Escape');
    await expect(inspector(page)).toHaveCount(0);
    await message(page).fill('what is selected elsewhere is none of its business');
    await message(page).selectText();
    await expect(inspector(page)).toHaveCount(0);
  });

  await test.step('the inspector is without findings, also on a phone', async () => {
    await mark(page, 'B5 62 0B 04', 4);
    await expect(inspector(page)).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    // The layout has changed, and the log is a new element.
    await expect(page.getByRole('button', { name: 'More', exact: true })).toBeVisible();
    await expect(log(page)).toContainText('B5 62 0B 04');
    await mark(page, 'B5 62 0B 04', 4);
    await expect(inspector(page)).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
  });
});
