/** One decoder of a person's own on a recording that is opened as a log, and on a shared bench: both read as a live port does. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expect, test } from '../support/test.ts';
import { guest as guestName, sayWho } from './live-steps.ts';
import { choose } from './menu-steps.ts';
import { openScripted } from './scripted-port.ts';
import { share, shareBar } from './share-steps.ts';
import { signIn } from './sign-in-steps.ts';
import { log, openTerminal, openTool, saved, showMore, startRecording } from './terminal-steps.ts';

const pump = {
  name: 'pump',
  title: 'Pump',
  framing: { kind: 'cobs' },
  order: 'little',
  fields: [{ name: 'speed', type: 'u16', unit: 'rpm' }],
};
/** The demo line's unit 7 has its speed in holding register 0. */
const drive = {
  name: 'drive',
  title: 'Drive',
  framing: { kind: 'step', longest: 256 },
  steps: ['modbus'],
  registers: [{ name: 'speed', address: 0, unit: 'rpm' }],
};
/** 2,000 and 2,001 rpm. */
const frames = [
  [0x03, 0xd0, 0x07, 0x00],
  [0x03, 0xd1, 0x07, 0x00],
];
const rows = (page: Page) => log(page).locator('[data-frame="right"]');

/** Makes the decoder in the tool, and gives it to port 1. */
async function makeDecoder(page: Page, start: string, decoder: object): Promise<void> {
  await openTool(page, 'Decoders');
  const tool = page.getByRole('region', { name: 'Decoders', exact: true });
  await tool.getByRole('combobox', { name: 'Start a decoder from' }).selectOption({ label: start });
  await tool.getByRole('textbox', { name: 'Content' }).fill(JSON.stringify(decoder));
  await tool.getByRole('button', { name: 'Use on Port 1' }).click();
  await expect(page.getByRole('radio', { name: 'Frames' })).toBeChecked();
}

test('a decoder of one’s own reads an opened recording', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await makeDecoder(page, 'COBS: your own struct', pump);
  const stop = await startRecording(page);
  await port.say(...frames);
  await expect(rows(page).last()).toContainText('speed 2001 rpm');
  await saved(page, stop);

  await showMore(page);
  await choose(page.getByRole('button', { name: 'Save the log' }), /^Recordings in this browser/);
  const popup = page.waitForEvent('popup');
  await page.getByRole('dialog', { name: 'Recordings in this browser' }).getByRole('button', { name: 'Open' }).click();
  const opened = await popup;
  // A log is read with the decoder that port 1 has.
  await expect(rows(opened)).toHaveCount(2);
  await expect(rows(opened).first()).toContainText('speed 2000 rpm');
  expect(await findings(opened)).toEqual([]);
});

test('a guest reads a shared port with a decoder of the guest’s own', async ({ page, elsewhere }) => {
  await openTerminal(page);
  await choose(page.getByRole('button', { name: 'Other ways to connect port 1' }).first(), 'Demo Modbus line');
  await signIn(page, 'maker');
  const link = await share(page);
  const guest = await elsewhere();
  await guest.goto(link);
  await sayWho(guest, guestName);
  await expect(shareBar(page)).toContainText('Shared with 1 guest');
  await makeDecoder(guest, 'Modbus RTU', drive);
  await expect(rows(guest).filter({ hasText: 'speed' }).first()).toContainText(/speed \d+ rpm/);
  // The host's own log stays as it was.
  await expect(rows(page)).toHaveCount(0);
});
