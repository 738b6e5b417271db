/**
 * The Screen through Chromium's own Web Serial: the genuine bash of a Unix board behind its port, and the console of
 * ESP-IDF, which asks at its start what the terminal can do.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { Device } from '@wirebench/devices';
import { test as base, expect } from '../../web-serial/fixture.ts';
import { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { log } from '../terminal-steps.ts';

/** Takes no part: the test's program has the port. */
const silent: Device = {
  link: { kind: 'usb', bytesPerSecond: 1_000_000 },
  attach: () => undefined,
  detach: () => undefined,
  receive: () => undefined,
};

const test = base.extend<{ shell: ChildProcessWithoutNullStreams; home: string }>({
  board: async ({ port }, use) => use(new PluggedBoard(port, silent)),
  // Playwright requires a destructured first parameter, even an empty one.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  home: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'screen-home-'));
    writeFileSync(join(folder, 'gateway.conf'), 'rate=115200\n');
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  shell: async ({ port, home }, use) => {
    const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', PS1: 'board$ ' };
    const command = 'stty rows 24 cols 80 115200; cd; exec bash --norc --noprofile -i';
    const shell = spawn('script', ['-qefc', command, '/dev/null'], { env });
    shell.stdout.on('data', (bytes: Buffer) => port.write(bytes));
    port.on('data', (bytes) => shell.stdin.write(bytes));
    await use(shell);
    shell.kill();
  },
});

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
const rows = (page: Page): Locator => page.locator('.xterm-rows');

async function enterScreen(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Screen' }).check();
  await page.locator('.xterm-screen').click();
  await expect(page.getByRole('button', { name: /^Keys go to Port 1/ })).toBeVisible();
}

test('bash has Tab, Ctrl+C, the history and its line editor', async ({ terminal, shell }) => {
  expect(shell.pid).toBeDefined();
  await connect(terminal);
  await expect(terminal.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await enterScreen(terminal);
  await terminal.keyboard.press('Enter');
  await expect(rows(terminal)).toContainText('board$');
  await terminal.keyboard.type('cat gate');
  await terminal.keyboard.press('Tab');
  await expect(rows(terminal)).toContainText('cat gateway.conf');
  await terminal.keyboard.press('Enter');
  await expect(rows(terminal)).toContainText('rate=115200');
  await terminal.keyboard.type('sleep 600');
  await terminal.keyboard.press('Enter');
  await terminal.keyboard.press('Control+c');
  await expect(rows(terminal)).toContainText('^C');
  await terminal.keyboard.press('ArrowUp');
  await terminal.keyboard.press('ArrowUp');
  await terminal.keyboard.press('Home');
  await terminal.keyboard.press('Delete');
  await terminal.keyboard.press('Delete');
  await terminal.keyboard.press('Delete');
  await terminal.keyboard.type('wc -l');
  await terminal.keyboard.press('Enter');
  await expect(rows(terminal)).toContainText('1 gateway.conf');
  await terminal.getByRole('radio', { name: 'Text' }).check();
  await expect(log(terminal)).toContainText('rate=115200');
  await expect(log(terminal).locator('[data-direction="sent"]')).toHaveCount(0);
});

test('the console of ESP-IDF learns in time that escape sequences are understood', async ({ terminal, port }) => {
  // linenoiseProbe (ESP-IDF, components/console/linenoise/linenoise.c) asks by DSR 5 and waits 500 ms for the answer.
  const answers: string[] = [];
  port.on('data', (bytes) => answers.push(bytes.toString('latin1')));
  await connect(terminal);
  await expect(terminal.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  port.write(Buffer.from('before \x1b[5n'));
  await expect(log(terminal)).toContainText('before');
  await enterScreen(terminal);
  await expect(rows(terminal)).toContainText('before');
  expect(answers).toEqual([]);
  // Without the answer it would print: Your terminal application does not support escape sequences.
  port.once('data', (bytes) => port.write(Buffer.from(bytes.toString('latin1') === '\x1b[0n' ? 'esp> ' : 'no answer')));
  port.write(Buffer.from('\x1b[5n'));
  await expect(rows(terminal)).toContainText('esp>');
  expect(answers).toEqual(['\x1b[0n']);
});
