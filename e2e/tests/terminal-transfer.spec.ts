/** File transfers on a port: offers of the board, both directions, stop, and files that wait to be saved. */
import { firstUnlessLong } from '@wirebench/test-input';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { aim, openForm, panel, pin, row } from './panels-steps.ts';
import { openScripted, type ScriptedPort } from './scripted-port.ts';
import { log, message, openTerminal, saved, showMore } from './terminal-steps.ts';

const [SOH, STX, EOT, ACK, NAK, CAN] = [1, 2, 4, 6, 0x15, 0x18];

/** CRC-16 of XMODEM, bit by bit. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((crc >> 15) & 1) ^ ((byte >> bit) & 1);
      crc = ((crc << 1) & 0xffff) ^ (carry === 1 ? 0x1021 : 0);
    }
  }
  return crc;
}

/** Receives a block as a board does. Returns its data. */
async function takeBlock(port: ScriptedPort, number: number): Promise<Buffer> {
  const [start = 0] = await port.heard(1);
  expect([SOH, STX]).toContain(start);
  const size = start === STX ? 1_024 : 128;
  const block = await port.heard(size + 4);
  expect([...block.subarray(0, 2)]).toEqual([number, 255 - number]);
  expect(block.readUInt16BE(size + 2)).toBe(crc16(block.subarray(2, size + 2)));
  return block.subarray(2, size + 2);
}

function blockOf(number: number, data: Uint8Array): number[] {
  const padded = Buffer.alloc(128, number === 0 ? 0 : 0x1a);
  padded.set(data);
  const crc = crc16(padded);
  return [SOH, number, 255 - number, ...padded, crc >> 8, crc & 0xff];
}

test('a board that waits for a file gets it by YMODEM, and its prompt is in the log again', async ({ page }) => {
  const content = Buffer.from(Array.from({ length: 1_100 }, (_, index) => index % 256));
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('## Ready for binary (ymodem) download\r\nC');
  await expect(async () => {
    await port.say('C');
    await expect(page.getByText('The board on Port 1 waits for a file (XMODEM or YMODEM).')).toBeVisible({
      timeout: 900,
    });
  }).toPass({ intervals: [700] });
  await page
    .getByLabel('File that the board on port 1 waits for')
    .setInputFiles({ name: 'uImage.bin', mimeType: 'application/octet-stream', buffer: content });
  await expect(page.getByRole('combobox', { name: 'Way to send the file' })).toHaveValue('ymodem');
  await page.getByRole('button', { name: 'Send file' }).click();
  const strip = page.getByRole('group', { name: 'File transfer on port 1' });
  await expect(strip).toContainText('YMODEM');
  await port.say('C');
  const [name, facts] = (await takeBlock(port, 0)).toString('latin1').split('\0');
  expect(name).toBe('uImage.bin');
  expect(facts).toMatch(/^1100 [0-7]+ 100644 0$/);
  await port.say([ACK, 0x43]);
  const first = await takeBlock(port, 1);
  await expect(strip).toContainText('uImage.bin');
  await message(page).fill('help');
  await message(page).press('Enter');
  await expect(log(page)).toContainText('Port 1 is transferring a file. Wait until it is done, or stop it.');
  await port.say([ACK]);
  const second = await takeBlock(port, 2);
  await port.say([ACK]);
  expect([...(await port.heard(1))]).toEqual([EOT]);
  await port.say([NAK]);
  expect([...(await port.heard(1))]).toEqual([EOT]);
  await port.say([ACK, 0x43]);
  expect((await takeBlock(port, 0)).every((byte) => byte === 0)).toBe(true);
  await port.say([ACK], '\r\n## Total Size = 1100 Bytes\r\n=> ');
  expect(Buffer.concat([first, second]).subarray(0, 1_100).equals(content)).toBe(true);
  await expect(strip).toHaveCount(0);
  await expect(log(page)).toContainText('Sent uImage.bin to Port 1 by YMODEM: 1\u2009100 bytes');
  await expect(log(page)).toContainText('## Total Size = 1100 Bytes');
});

test('a file of the board is received by YMODEM and saved', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await choose(page.getByRole('button', { name: 'Tools', exact: true }), 'Receive a file…');
  const choice = page.getByRole('group', { name: 'Receive a file from port 1' });
  await choice.getByRole('combobox', { name: 'Protocol to receive by' }).selectOption('YMODEM');
  await choice.getByRole('button', { name: 'Receive' }).click();
  expect([...(await port.heard(1))]).toEqual([0x43]);
  await port.say(blockOf(0, Buffer.from('../logs/boot log.txt\x0011 0 0 0\0', 'latin1')));
  expect([...(await port.heard(2))]).toEqual([ACK, 0x43]);
  await port.say(blockOf(1, Buffer.from('hello board')));
  expect([...(await port.heard(1))]).toEqual([ACK]);
  await port.say([EOT]);
  expect([...(await port.heard(1))]).toEqual([NAK]);
  await port.say([EOT]);
  expect([...(await port.heard(2))]).toEqual([ACK, 0x43]);
  await port.say(blockOf(0, Buffer.alloc(0)));
  const file = await saved(page, page.getByRole('button', { name: 'Save boot log.txt' }));
  expect(file.name).toBe('boot log.txt');
  expect(file.bytes.toString()).toBe('hello board');
  await expect(page.getByRole('button', { name: 'Save boot log.txt' })).toHaveCount(0);
  await expect(log(page)).not.toContainText('hello board');
});

test('a transfer that is stopped tells the board, and the port is free again', async ({ page }) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await port.say('rz waiting to receive.**\x18B0100000023be50\r\x8a\x11');
  await expect(page.getByText('The board on Port 1 waits for a file (ZMODEM).')).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('The board on Port 1 waits for a file (ZMODEM).')).toHaveCount(0);
  await port.say('**\x18B00000000000000\r\x8a\x11');
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await port.heard(21);
  await page.getByRole('button', { name: 'Stop the file transfer on port 1' }).click();
  expect([...(await port.heard(16))]).toEqual([...Array(8).fill(CAN), ...Array(8).fill(8)]);
  await expect(log(page)).toContainText('Receiving from Port 1 by ZMODEM ended: it was stopped here.');
  await message(page).fill('help');
  await message(page).press('Enter');
  expect((await port.heard(4)).toString()).toBe('help');
});

/** Receives a file of one block by YMODEM as a board does, and returns its name and content. */
async function takeFile(port: ScriptedPort): Promise<{ readonly name: string; readonly content: Buffer }> {
  await port.say('C');
  const [name = ''] = (await takeBlock(port, 0)).toString('latin1').split('\0');
  await port.say([ACK, 0x43]);
  const content = await takeBlock(port, 1);
  await port.say([ACK]);
  expect([...(await port.heard(1))]).toEqual([EOT]);
  await port.say([NAK]);
  expect([...(await port.heard(1))]).toEqual([EOT]);
  await port.say([ACK, 0x43]);
  await takeBlock(port, 0);
  await port.say([ACK]);
  return { name, content };
}

test('a run sends loady, then the chosen file, then the next message, and stops where the file does not arrive', async ({
  page,
}) => {
  await openTerminal(page);
  const port = await openScripted(page, 1);
  await pin(page, 'loady');
  await pin(page, 'go');
  await aim(page, /^Port 1/);
  const form = await openForm(page, 'loady');
  await form.getByRole('textbox', { name: 'Wait for' }).fill('Ready');
  await form.getByRole('textbox', { name: 'Wait at most' }).fill('60000');
  await form.getByRole('combobox', { name: 'Then send' }).selectOption('a file, YMODEM');
  await form.getByRole('textbox', { name: 'File name' }).fill('uImage.bin');
  expect(await findings(page, { within: 'form[aria-label="Edit the command"]' })).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, 'loady')).toContainText('Then sends uImage.bin by YMODEM');
  const run = panel(page).getByRole('button', { name: 'Run Panel 1' });
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), run.click()]);
  await dialog.setFiles({ name: 'uImage.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('kernel') });
  expect((await port.heard(6)).toString()).toBe('loady\n');
  await port.say('## Ready for binary (ymodem) download\r\n');
  // A board asks again every few seconds, and this one asks once.
  const transfer = page.getByRole('group', { name: 'File transfer on port 1' });
  await expect(transfer).toContainText('Waiting for the board');
  const { name, content } = await takeFile(port);
  expect([name, content.subarray(0, 6).toString()]).toEqual(['uImage.bin', 'kernel']);
  expect((await port.heard(3)).toString()).toBe('go\n');
  await expect(log(page)).toContainText('Panel 1: PASSED, 1 of 1 checks');
  await expect(row(page, 'loady')).toContainText('File sent');
  await run.click();
  expect((await port.heard(6)).toString()).toBe('loady\n');
  await port.say('## Ready for binary (ymodem) download\r\n');
  await page.getByRole('button', { name: 'Stop the file transfer on port 1' }).click();
  await port.heard(16);
  await expect(log(page)).toContainText(
    /Panel 1: FAILED, 0 of 1 checks · [\d.]+ s\. Port 1: the file after "loady" was not sent whole\./,
  );
  await expect(row(page, 'loady')).toContainText('File not sent');
});

for (const size of firstUnlessLong([
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 720, height: 450 },
])) {
  test(`the strips of transfers are without findings at ${size.width} px`, async ({ page }) => {
    const transfer = page.getByRole('group', { name: 'File transfer on port 1' });
    const check = async () => {
      await expectToFit(page);
      expect(await findings(page)).toEqual([]);
    };
    await openTerminal(page);
    const port = await openScripted(page, 1);
    await page.setViewportSize(size);
    await test.step('an offer', async () => {
      await port.say('rz waiting to receive.**\x18B0100000023be50\r\x8a\x11');
      await expect(page.getByText('The board on Port 1 waits for a file (ZMODEM).')).toBeVisible();
      await check();
    });
    await test.step('a chosen file, and the choice of how to send it', async () => {
      await page.getByRole('button', { name: 'Not now' }).click();
      await page
        .getByLabel('File to send to port 1')
        .setInputFiles({ name: 'a-firmware-with-a-long-name-1.2.3.bin', mimeType: '', buffer: Buffer.alloc(3_000) });
      await page.getByRole('combobox', { name: 'Way to send the file' }).selectOption('YMODEM');
      await check();
    });
    await test.step('a running transfer, before and after its first block', async () => {
      await page.getByRole('button', { name: 'Send file' }).click();
      await expect(transfer).toContainText('Waiting for the board');
      await check();
      await port.say('C');
      await takeBlock(port, 0);
      await port.say([ACK, 0x43]);
      await takeBlock(port, 1);
      await port.say([ACK]);
      await expect(transfer).toContainText('%');
      await check();
      await takeBlock(port, 2);
    });
    await test.step('a transfer that failed', async () => {
      await port.say([CAN, CAN, CAN, CAN, CAN]);
      await expect(log(page)).toContainText('the board stopped it.');
      await expect(transfer).toHaveCount(0);
      await check();
    });
    await test.step('the choice of a protocol to receive by, and a received file', async () => {
      await showMore(page);
      await choose(page.getByRole('button', { name: 'Tools', exact: true }), 'Receive a file…');
      await check();
      await page.getByRole('combobox', { name: 'Protocol to receive by' }).selectOption('YMODEM');
      await page.getByRole('button', { name: 'Receive', exact: true }).click();
      await expect.poll(async () => (await port.heard(1))[0]).toBe(0x43);
      await port.say(blockOf(0, Buffer.from('boot.log\x0011 0 0 0\0', 'latin1')));
      await port.say(blockOf(1, Buffer.from('hello board')));
      await port.say([EOT], [EOT]);
      await port.say(blockOf(0, Buffer.alloc(0)));
      await expect(page.getByRole('button', { name: 'Save boot.log' })).toBeVisible();
      await check();
    });
  });
}
