/**
 * A decoder by example: bytes of a struct become named values with the mouse, and a Modbus register gets its word order
 * with the keyboard. The log follows each step.
 */
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

test('bytes of an opened frame are dragged over in the log, which the tool does not cover', async ({ page }) => {
  // Settings and panels are open beside the log.
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openTerminal(page);
  await expect(page.getByRole('complementary', { name: 'Settings of port 1' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Panels' })).toBeVisible();
  await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
  await page.getByRole('button', { name: 'Show frames' }).click();
  await frames(page).filter({ hasText: 'read 0–3' }).first().getByText('read 0–3').click();
  const boxes = log(page).locator('[data-frame-bytes] b');
  // From the first byte of the first register to the first one of the third.
  await expect(async () => {
    await drag(page, boxes, 3, 5);
    // The code that selects bytes is loaded with the first opened frame.
    await expect(grid(page).locator('[aria-selected="true"]')).toHaveCount(5, { timeout: 2_000 });
  }).toPass();
  await expect(grid(page).locator('[aria-selected="true"]').first()).toHaveAttribute('data-byte', '3');
  await boxes.nth(4).click();
  await expect(tool(page)).toContainText('Holding register 1');
  const left = (await tool(page).boundingBox())?.x ?? 0;
  for (const box of await boxes.all()) {
    await expect(box).toBeInViewport();
    const { x = left, width = 1 } = (await box.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(left);
  }
  // The last column of the frame's table has the values.
  const { x = left, width = 1 } = (await log(page).locator('td[data-column="value"]').first().boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(left);
});

test('a register gets its type and word order with the keyboard', async ({ page }) => {
  await openTerminal(page);
  await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
  await page.getByRole('button', { name: 'Show frames' }).click();
  const answers = frames(page).filter({ hasText: 'read input 0–3' });
  await expect(answers.first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Find in the console' }).fill('input.3>=0');
  await page.getByRole('button', { name: 'Show only lines that match' }).click();
  await log(page).focus();
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  await expect(log(page).locator('[data-frame-detail]')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(log(page).getByRole('button', { name: 'Name bytes' })).toBeFocused();
  await page.keyboard.press('Enter');

  await test.step('arrow keys with Shift select the bytes of two registers', async () => {
    await expect(grid(page)).toBeFocused();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key);
    }
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press('Shift+ArrowRight');
    }
    await page.keyboard.press('Tab');
    await expect(tool(page).getByRole('button', { name: 'Name it for unit 21' })).toBeFocused();
    await page.keyboard.press('Enter');
  });

  await test.step('the right word order is seen and pressed, and the log follows', async () => {
    await expect(tool(page).getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
    await page.keyboard.type('flow');
    await page.keyboard.press('Tab');
    await page.keyboard.press('f');
    await expect(tool(page).getByRole('combobox', { name: 'Read as' })).toHaveValue('f32');
    const swapped = tool(page).getByRole('button', { name: /, cdab, register 0$/ });
    await expect(swapped).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(swapped).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(swapped).toHaveAttribute('aria-pressed', 'true');
    await expect(answers.last()).toContainText(/flow \d+\.\d+/);
    expect(await findings(page)).toEqual([]);
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
