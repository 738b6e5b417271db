/**
 * Decoders of one's own: a JKit with a DBC file is opened from its link, given to a port, and names what the port receives. One is
 * started from a ready decoder with the keyboard.
 */
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { jkitPaths, pagePaths } from '@wirebench/contract';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { uniqueName } from '../support/unique-name.ts';
import { openScripted } from './scripted-port.ts';
import { bearer, signIn } from './sign-in-steps.ts';
import { log, openTerminal, openTool } from './terminal-steps.ts';

const dbc = 'VERSION ""\nBO_ 256 Motor: 2 ECU\n SG_ Speed : 0|16@1+ (0.5,0) [0|0] "rpm" Panel\n';
const file = (text: string, name = 'motor.dbc') => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const sha256 = createHash('sha256').update(dbc).digest('hex');
const decoder = {
  name: 'can',
  title: 'Motor bus',
  framing: { kind: 'step', longest: 144 },
  steps: ['slcan'],
  files: [{ use: 'dbc', name: 'motor.dbc', sha256 }],
};

const tool = (page: Page) => page.getByRole('region', { name: 'Decoders', exact: true });
const content = (page: Page) => tool(page).getByRole('textbox', { name: 'Content' });
const strip = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });
const frames = (page: Page) => log(page).locator('[data-frame="right"]');

test('a decoder from a link is shown, given to a port when asked, and asks for its file by name and hash', async ({
  page,
  elsewhere,
}) => {
  test.slow();
  const maker = await elsewhere();
  await maker.goto(pagePaths.uart);
  await signIn(maker, 'maker');
  const headers = await bearer(maker);
  const name = uniqueName('decoder');
  const jkit = { name, type: 'decoder', shared: true, content: JSON.stringify(decoder) };
  const { data } = await (await maker.request.post(jkitPaths.jkits, { headers, data: jkit })).json();
  const id = String((data as { _id: string })._id);
  try {
    await page.goto(`${pagePaths.uart}?jkit=${id}`);
    await expectToast(page, `${name} loaded`);
    await expect(tool(page).getByText('In Find')).toBeVisible();
    await expect(content(page)).toHaveValue(/Motor bus/);
    const port = await openScripted(page, 1);
    await port.say('t1002D007\r');
    await expect(log(page)).toContainText('t1002D007');
    await expect(frames(page)).toHaveCount(0);

    await test.step('the tool is accessible, and fits a phone', async () => {
      expect(await findings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectToFit(page);
      await page.setViewportSize({ width: 1_440, height: 900 });
    });

    await tool(page).getByRole('button', { name: 'Use on Port 1' }).click();
    await expect(strip(page)).toContainText('The decoder Motor bus of Port 1 needs the file motor.dbc.');
    expect(await findings(page)).toEqual([]);
    await strip(page)
      .locator('input[type="file"]')
      .setInputFiles(file(`${dbc}\n`));
    await expect(strip(page)).toContainText('motor.dbc is not the motor.dbc that the decoder names');
    await strip(page).locator('input[type="file"]').setInputFiles(file(dbc, 'from the bus.dbc'));
    await expect(strip(page)).toHaveCount(0);
    await port.say('t1002D007\r', 't1002E807\r');
    await expect(frames(page).filter({ hasText: 'Speed' }).first()).toContainText('1000');
    await page.getByRole('textbox', { name: 'Find in the console' }).fill('Speed>1010');
    await page.getByRole('button', { name: 'Show only lines that match' }).click();
    await expect(frames(page)).toHaveCount(1);
    await expect(frames(page)).toContainText('1012');

    await test.step('the browser keeps decoder, file and choice', async () => {
      await page.goto(pagePaths.uart);
      const again = await openScripted(page, 1);
      // Until the decoder is loaded, lines are lines.
      await expect(async () => {
        await again.say('t1002D007\r');
        await expect(frames(page).filter({ hasText: 'Speed' }).first()).toContainText('1000', { timeout: 1_000 });
      }).toPass();
      await expect(strip(page)).toHaveCount(0);
    });
  } finally {
    await maker.request.delete(jkitPaths.jkit(id), { headers });
  }
});

test('a decoder is started from a ready one, edited and given to a port with the keyboard alone', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await openTool(page, 'Decoders');
  await tool(page).getByRole('combobox', { name: 'Start a decoder from' }).focus();
  await tool(page)
    .getByRole('combobox', { name: 'Start a decoder from' })
    .selectOption({ label: 'COBS: your own struct' });
  await expect(content(page)).toHaveValue(/"name": "cobs"/);
  const struct = { name: 'pump', title: 'Pump', framing: { kind: 'cobs' }, order: 'little', fields: [] as object[] };
  await content(page).fill(JSON.stringify({ ...struct, fields: [{ name: 'speed', type: 'u61' }] }));
  await expect(tool(page)).toContainText('Field 1, type cannot be u61: this version knows');
  await content(page).fill(JSON.stringify({ ...struct, fields: [{ name: 'speed', type: 'u16', unit: 'rpm' }] }));
  await tool(page).getByRole('button', { name: 'Use on Port 1' }).press('Enter');
  await expect(tool(page)).toContainText(/Port 1 shows frames of /);
  // Until the decoder is loaded, lines are lines.
  await expect(async () => {
    await port.say([0x03, 0xd0, 0x07, 0x00]);
    await expect(frames(page).first()).toContainText('2000', { timeout: 1_000 });
  }).toPass();
  await expect(frames(page).first()).toContainText('speed');
});
