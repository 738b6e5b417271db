/**
 * The terminal through Chromium's own Web Serial: a worker that finds the chosen port by its index, real streams,
 * real hang-ups. The simulated board is behind a pseudo-terminal.
 */
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../../web-serial/fixture.ts';
import type { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { exported, log, prompt, sha256, type } from '../terminal-steps.ts';

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();

/** Returns the bytes of port 1 that the terminal holds, through its export. */
const exportReceived = async (page: Page) => (await exported(page, 'Received bytes of Port 1')).bytes;

/** Waits until the terminal holds all output of the board, which may still be in transit. */
const expectAllReceived = (page: Page, board: PluggedBoard) =>
  expect.poll(async () => sha256(await exportReceived(page)) === sha256(board.received)).toBe(true);

test('a board that was picked answers, is unplugged, closed, opened again and switched, and is exported as it spoke', async ({
  terminal,
  board,
}) => {
  const disconnect = terminal.getByRole('button', { name: 'Disconnect port 1' });
  await connect(terminal);
  await expect(log(terminal)).toContainText(prompt);
  await expect.poll(() => board.seenSignals.at(-1)).toBe('DTR on, RTS off');
  await type(terminal, 'help');
  await expect(log(terminal)).toContainText('which addresses answer on the I2C bus');
  await expectAllReceived(terminal, board);

  await test.step('unplugged, it is waited for, and talks again when it is plugged in', async () => {
    board.unplug();
    await expect(log(terminal)).toContainText('Device disconnected from Port 1');
    await expect(terminal.getByRole('button', { name: 'Stop waiting for the board of port 1' }).first()).toBeVisible();
    board.plug();
    await expect(disconnect).toBeVisible();
    await type(terminal, 'load 1000 1');
    await expect(log(terminal)).toContainText('load: 25 lines, 1000 bytes');
    await expectAllReceived(terminal, board);
  });

  await test.step('closed and opened again, it goes on', async () => {
    await disconnect.click();
    await expect(terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first()).toBeVisible();
    await connect(terminal);
    await expect(disconnect).toBeVisible();
    await type(terminal, 'load 2000 1');
    await expect(log(terminal)).toContainText('load: 50 lines, 2000 bytes');
    expect(board.received.includes('load: 50 lines, 2000 bytes')).toBe(true);
  });

  await test.step('it sees DTR and RTS switched', async () => {
    await expect.poll(() => board.seenSignals.at(-1)).toBe('DTR on, RTS off');
    await terminal.getByRole('switch', { name: 'RTS' }).click();
    await expect.poll(() => board.seenSignals.at(-1)).toBe('DTR on, RTS on');
    await terminal.getByRole('switch', { name: 'DTR' }).click();
    await expect.poll(() => board.seenSignals.at(-1)).toBe('DTR off, RTS on');
    await terminal.getByRole('switch', { name: 'RTS' }).click();
    await expect.poll(() => board.seenSignals.at(-1)).toBe('DTR off, RTS off');
  });
});

test('8 MiB arrive equal by hash', async ({ terminal, port, board }) => {
  await connect(terminal);
  await expect(log(terminal)).toContainText(prompt);
  const spoken = board.received;
  const block = Buffer.alloc(1 << 20);
  const sent = createHash('sha256').update(spoken);
  let length = spoken.length;
  for (let round = 0; round < 8; round++) {
    for (let index = 0; index < block.length; index++) {
      block[index] = (index * 31 + (index >>> 8) * 7 + (index >>> 16) + round) & 0xff;
    }
    sent.update(block);
    length += block.length;
    port.write(Buffer.from(block));
  }
  const expected = sent.digest('hex');
  await expect.poll(async () => (await exportReceived(terminal)).length, { timeout: 120_000 }).toBe(length);
  expect(sha256(await exportReceived(terminal))).toBe(expected);
});

test.describe('at 921,600 baud, at the speed of the wire', () => {
  test.use({ line: { baudRate: 921_600, paced: true } });

  test('a load of two seconds arrives without a byte lost', async ({ terminal, board }) => {
    await terminal.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
    await connect(terminal);
    await expect(log(terminal)).toContainText(prompt);
    expect(board.baudRate).toBe(921_600);
    await type(terminal, 'load 90000 2');
    await expect(log(terminal)).toContainText(/load: 4500 lines, 180000 bytes[\s\S]{0,80}demo> *$/);
    expect(board.received.length).toBeGreaterThan(180_000);
    await expectAllReceived(terminal, board);
  });
});
