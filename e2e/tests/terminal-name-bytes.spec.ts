/** A decoder by example: bytes of a struct become named values with the mouse. The log follows each step. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { openScripted } from './scripted-port.ts';
import { log, openTerminal } from './terminal-steps.ts';

const tool = (page: Page) => page.getByRole('region', { name: 'Registers and bytes', exact: true });
const grid = (page: Page) => tool(page).getByRole('listbox', { name: 'Bytes of the frame' });
const frames = (page: Page) => log(page).locator('[data-frame="right"]');

/** A5, length of the rest, counter, speed (u16 little-endian), 0 to 2 more, sum. */
function frame(count: number): number[] {
  const rest = [count, (1_000 + count) & 0xff, (1_000 + count) >> 8, ...Array.from({ length: count % 3 }, () => 9)];
  const bytes = [0xa5, rest.length, ...rest];
  return [...bytes, bytes.reduce((sum, byte) => sum + byte, 0) & 0xff];
}

/** Drags from one byte of a grid to another. */
async function drag(page: Page, bytes: Locator, from: number, to: number): Promise<void> {
  const [first, last] = [await bytes.nth(from).boundingBox(), await bytes.nth(to).boundingBox()];
  await page.mouse.move((first?.x ?? 0) + 8, (first?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((last?.x ?? 0) + 8, (last?.y ?? 0) + 8, { steps: 4 });
  await page.mouse.up();
}

/** Sends 30 frames, and opens the tool with how they may be cut. */
async function openTool(page: Page) {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say(Array.from({ length: 30 }, (_, count) => frame(count)).flat());
  await page.getByRole('radio', { name: 'Hex', exact: true }).check({ force: true });
  await choose(page.getByRole('button', { name: 'Tools' }), 'Registers and bytes');
  await expect(tool(page).getByText('fits best')).toBeVisible();
  return port;
}

test('bytes become frames and named values with the mouse, and are kept as a decoder', async ({ page }) => {
  const port = await openTool(page);

  await test.step('each way says what it gives, and which checksum agrees with how many frames', async () => {
    await expect(tool(page).getByText('Length field')).toContainText('fits best');
    await expect(tool(page).getByText('30 frames, no left-overs')).toBeVisible();
    await expect(tool(page)).toContainText('sum of the bytes: agrees with 30 of 30 different frames');
    expect(await findings(page)).toEqual([]);
    await tool(page).getByRole('button', { name: 'Name bytes', exact: true }).click();
  });

  await test.step('selected bytes are a value, which the log shows for the next frames', async () => {
    await drag(page, grid(page).locator('[data-byte]'), 3, 4);
    await tool(page).getByRole('button', { name: 'A value' }).click();
    await tool(page).getByRole('textbox', { name: 'Name', exact: true }).fill('speed');
    await tool(page).getByRole('textbox', { name: 'Unit' }).fill('rpm');
    await expect(page.getByRole('radio', { name: 'Frames' })).toBeChecked();
    await port.say(frame(30));
    await expect(frames(page).last()).toContainText('speed 1030 rpm');
    await expect(tool(page).getByRole('table', { name: 'Newest values of speed' })).toContainText('1030 rpm');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('frames that are held follow a change of their fields at once', async () => {
    await tool(page)
      .getByRole('button', { name: /, big-endian$/ })
      .click();
    await expect(frames(page).last()).toContainText('speed 1540 rpm');
    await tool(page)
      .getByRole('button', { name: /, little-endian$/ })
      .click();
    await expect(frames(page).last()).toContainText('speed 1030 rpm');
  });

  await test.step('the decoder is kept, and found by its name', async () => {
    await tool(page).getByRole('textbox', { name: 'Name of the decoder' }).fill('My motor');
    await tool(page).getByRole('button', { name: 'Save' }).click();
    await expect(tool(page).getByRole('button', { name: 'Saved' })).toBeVisible();
    await port.say(frame(31));
    // Beside the tool the toolbar of a narrow log has Find in a second row.
    await page.keyboard.press('ControlOrMeta+F');
    await page.getByRole('textbox', { name: 'Find in the console' }).fill('my_motor.speed>1030');
    await page.getByRole('button', { name: 'Show only lines that match' }).click();
    await expect(frames(page)).toHaveCount(1);
    await expect(frames(page)).toContainText('speed 1031 rpm');
  });
});

test('on a phone the tool fits, without findings', async ({ page }) => {
  await openTool(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
  await tool(page).getByRole('button', { name: 'Name bytes', exact: true }).click();
  await grid(page).locator('[data-byte]').nth(3).click();
  await tool(page).getByRole('button', { name: 'A value' }).click();
  await expect(tool(page).getByRole('textbox', { name: 'Unit' })).toBeVisible();
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
});
