/** Devices on a Modbus line: what will be sent, another master, what answered, and the table; with the demo line. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToBeReached, expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { choose } from './menu-steps.ts';
import { foldDock, openTerminal, openTool } from './terminal-steps.ts';

const tool = (page: Page) => page.getByRole('region', { name: 'Look for Modbus devices' });
const decoders = (page: Page) => page.getByRole('region', { name: 'Decoders', exact: true });
const devices = (page: Page) => tool(page).getByRole('table', { name: 'Devices that answered' });

test('the devices of a line are found after a warning of its other master, and copied as a table', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openTerminal(page);
  await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
  await page.getByRole('button', { name: 'Show frames' }).click();
  await openTool(page, 'Look for Modbus devices');
  const look = tool(page).getByRole('button', { name: 'Look for Modbus devices', exact: true });

  await test.step('it says what it will send, how often and for how long', async () => {
    await expect(tool(page)).toContainText(/Asks units 1 to 247 for one holding register \(function 3\), at \d+ 8N1/);
    await expect(tool(page)).toContainText('Nothing is written.');
    await tool(page).getByRole('textbox', { name: 'Last unit' }).fill('300');
    await expect(tool(page)).toContainText('Units are 1 to 247.');
    await expect(look).toBeDisabled();
    await tool(page).getByRole('textbox', { name: 'Last unit' }).fill('14');
    await tool(page).getByRole('textbox', { name: 'Last register' }).fill('15');
    await expect(tool(page)).toContainText(/Asks units 1 to 14 .* at most 42 requests, \d+ s\./);
    await tool(page).getByRole('combobox', { name: 'Answer in' }).selectOption('100 ms');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('another master is noticed before anything is sent', async () => {
    await look.click();
    await expect(
      tool(page)
        .getByRole('alert')
        .getByText(/^Something else uses this line/),
    ).toBeVisible();
    await expect(tool(page)).toContainText('Nothing was sent.');
  });

  await test.step('by keyboard alone it looks anyway, and lists what answered', async () => {
    await tool(page).getByRole('button', { name: 'Look anyway' }).focus();
    await page.keyboard.press('Enter');
    await expect(tool(page).getByRole('button', { name: 'Stop looking for devices' })).toBeVisible();
    await expect(tool(page).getByRole('status')).toContainText('2 devices answered.', { timeout: 60_000 });
    await expect(devices(page)).toContainText(/7 \d+ 8N1/);
    await expect(devices(page)).toContainText('Wirebench demo, pump drive, 1.0');
    await expect(devices(page)).toContainText('holding registers 0–15');
    await expect(devices(page)).toContainText('exception 2: illegal data address');
    await expect(devices(page)).toContainText('coils 0–15; discrete inputs 0–15');
    expect(await findings(page)).toEqual([]);
  });

  await test.step('the table is copied', async () => {
    await tool(page).getByRole('button', { name: 'Copy as CSV' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^unit,settings,answered.*\r?\n7,\d+ 8N1,read,/);
  });

  await test.step('by keyboard alone the registers become the table of a decoder of one’s own, and are added once', async () => {
    const use = tool(page).getByRole('button', { name: 'Use as a register table' });
    await use.focus();
    await page.keyboard.press('Enter');
    const first = decoders(page).getByRole('textbox', { name: 'Name of holding_0 of device 7' });
    await expect(first).toBeFocused();
    // 16 registers of the pump drive, 16 coils and 16 inputs of the valves.
    await expectToast(page, '48 registers added to Modbus RTU, own names');
    await expect(decoders(page)).toContainText('Port 1 shows frames of Modbus RTU, own names');
    await page.keyboard.type('speed');
    await expect(decoders(page).getByRole('textbox', { name: 'Name of speed of device 7' })).toBeFocused();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await foldDock(page);
    await openTool(page, 'Look for Modbus devices');
    await use.click();
    await expectToast(page, 'The table of Modbus RTU, own names has all 48 registers already');
    await expect(decoders(page).getByRole('textbox', { name: 'Name of speed of device 7' })).toBeVisible();
    await openTool(page, 'Look for Modbus devices');
  });

  await test.step('a search that is stopped keeps what it found, and the port is open as before', async () => {
    await tool(page).getByRole('textbox', { name: 'Last unit' }).fill('247');
    await look.click();
    // The other master of the line begins to ask again 5 s after the last question of this side.
    const anyway = tool(page).getByRole('button', { name: 'Look anyway' });
    await expect(anyway.or(devices(page))).toBeVisible({ timeout: 30_000 });
    if (await anyway.isVisible()) {
      await anyway.click();
    }
    // Unit 7 is found early, long before the last one is asked.
    await expect(devices(page)).toContainText(/7 \d+ 8N1/, { timeout: 60_000 });
    await tool(page).getByRole('button', { name: 'Stop looking for devices' }).click();
    await expect(tool(page).getByRole('status')).toContainText(/^Stopped\./);
    await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  });

  await test.step('it fits a small window and a phone', async () => {
    await page.setViewportSize({ width: 1_024, height: 768 });
    await expectToFit(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectToFit(page);
    await expectToBeReached(look);
    expect(await findings(page)).toEqual([]);
  });
});
