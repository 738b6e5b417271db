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
  await terminal.keyboard.type(`sh -c "echo beg''un; exec sleep 600"`);
  await terminal.keyboard.press('Enter');
  // Earlier, Ctrl+C makes the system forget what bash has not read, or reaches bash's child while it still has bash's handler.
  await expect(rows(terminal)).toContainText('begun');
  await terminal.keyboard.press('Control+c');
  await expect(rows(terminal)).toContainText(/\^C\s*board\$\s*$/);
  await terminal.keyboard.press('ArrowUp');
  await terminal.keyboard.press('ArrowUp');
  await expect(rows(terminal)).toContainText(/board\$ cat gateway\.conf\s*$/);
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

/**
 * The console of ESP-IDF at its start (components/console/linenoise/linenoise.c). `linenoiseProbe` asks by DSR 5 and
 * gives up on escape sequences without the answer. `getColumns` asks for the cursor before and after a move to the right edge.
 */
class EspConsole {
  /** Answers of the terminal, in order. */
  readonly answers: string[] = [];
  readonly #write: (text: string) => void;
  #columns = 0;
  #next: (answer: string) => void = () => undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  start(): void {
    this.#ask('\x1b[5n', (status) => {
      if (status !== '\x1b[0n') {
        this.#write('Your terminal application does not support escape sequences.\r\n');
        return;
      }
      this.#ask('\x1b[6n', () => {
        this.#ask('\x1b[999C\x1b[6n', (edge) => {
          this.#columns = Number(/;(\d+)R$/.exec(edge)?.[1] ?? 0);
          this.#write(`\r\x1b[Kcolumns ${this.#columns}\r\nesp> `);
        });
      });
    });
  }

  /** Takes what the terminal sends. The console reads an answer up to its last letter. */
  receive(text: string): void {
    this.answers.push(text);
    this.#next(text);
  }

  #ask(question: string, then: (answer: string) => void): void {
    this.#next = (answer) => {
      this.#next = () => undefined;
      then(answer);
    };
    this.#write(question);
  }
}

test('the console of ESP-IDF has each question answered once, by the Screen and by nothing else', async ({
  terminal,
  port,
}) => {
  const board = new EspConsole((text) => port.write(Buffer.from(text)));
  port.on('data', (bytes) => board.receive(bytes.toString('latin1')));
  await connect(terminal);
  await expect(terminal.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();

  await test.step('the log answers nothing, and a Screen nothing of what has passed', async () => {
    board.start();
    port.write(Buffer.from('before'));
    await expect(log(terminal)).toContainText('before');
    await enterScreen(terminal);
    await expect(rows(terminal)).toContainText('before');
    expect(board.answers).toEqual([]);
  });

  await test.step('the open Screen answers', async () => {
    board.start();
    await expect(rows(terminal)).toContainText('esp>');
    const [columns] = /\d+/.exec((await terminal.getByText(/^Set size \d+ × \d+$/).textContent()) ?? '') ?? [];
    await expect(rows(terminal)).toContainText(`columns ${columns}`);
    expect(board.answers).toHaveLength(3);
    expect(board.answers).toEqual(['\x1b[0n', expect.stringMatching(/R$/), expect.stringMatching(`;${columns}R$`)]);
  });

  await test.step('the log answers nothing again', async () => {
    await terminal.getByRole('radio', { name: 'Text' }).check();
    board.start();
    port.write(Buffer.from('after\r\n'));
    await expect(log(terminal)).toContainText('after');
    expect(board.answers).toHaveLength(3);
  });
});

test('composed text reaches the board once, as UTF-8', async ({ terminal, port }) => {
  const sent: Buffer[] = [];
  port.on('data', (bytes) => sent.push(Buffer.from(bytes)));
  await connect(terminal);
  await expect(terminal.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  port.write(Buffer.from('ready> '));
  await expect(log(terminal)).toContainText('ready>');
  await enterScreen(terminal);
  const keyboard = await terminal.context().newCDPSession(terminal);
  const compose = (text: string) =>
    keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  const text = () => Buffer.concat(sent).toString('utf8');
  // A dead key, then its letter.
  await compose('¨');
  await keyboard.send('Input.insertText', { text: 'ü' });
  await expect.poll(text).toBe('ü');
  // A Japanese input method, with a choice at the end.
  for (const part of ['n', 'に', 'にほん', '日本']) {
    await compose(part);
  }
  await keyboard.send('Input.insertText', { text: '日本' });
  await expect.poll(text).toBe('ü日本');
  // An emoji panel inserts without a composition. Keys after it go on as before.
  await keyboard.send('Input.insertText', { text: '😀' });
  await expect.poll(text).toBe('ü日本😀');
  await terminal.keyboard.type('x');
  await terminal.keyboard.press('Enter');
  await expect.poll(text).toBe('ü日本😀x\r');
});
