/** Pasted text at boards behind Chromium's own Web Serial: code for Python, and lines for a shell with marks. */
import type { Page } from '@playwright/test';
import type { Device } from '@wirebench/devices';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { findings } from '../../support/accessibility.ts';
import { test as base, expect } from '../../web-serial/fixture.ts';
import { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { log, message } from '../terminal-steps.ts';

const facts = 'user=root;hostname=rk3588;machineid=3deb5353d3ba43d08201c136a47ead7b;bootid=6ca1a2b9;pid=1134';
const mark = (kind: string) => `\x1b]3008;${kind}=0dc59a1c-7a1f-4b4c-9b8e;${facts};cwd=/root\x1b\\`;
const shellPrompt = `${mark('end')}${mark('start')}${mark('end')}${mark('start')}\x1b[?2004hroot@rk3588:~# `;

type DeviceLine = Parameters<Device['attach']>[0];

/** A shell that echoes, with its prompt as systemd 258 marks it. */
class MarkedShell implements Device {
  readonly link = { kind: 'uart', baudRate: 115_200, dataBits: 8, stopBits: 1, parity: 'none' } as const;
  readonly lines: string[] = [];
  #line: DeviceLine | null = null;
  #text = '';

  attach(line: DeviceLine): void {
    this.#line = line;
  }

  hostOpened(): void {
    this.#print(`\r\n${shellPrompt}`);
  }

  detach(): void {
    this.#line = null;
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const character = String.fromCharCode(byte);
      this.#print(character === '\n' ? `\r\n\x1b[?2004l\r${shellPrompt}` : character);
      if (character === '\n') {
        this.lines.push(this.#text);
        this.#text = '';
      } else {
        this.#text += character;
      }
    }
  }

  #print(text: string): void {
    this.#line?.write(new TextEncoder().encode(text));
  }
}

const test = base.extend<{ python: MicroPythonBoard; shell: MarkedShell; kind: 'python' | 'shell' }>({
  kind: ['python', { option: true }],
  // Playwright requires a destructured first parameter, even an empty one.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  python: async ({}, use) => use(await MicroPythonBoard.load({ powerUp: 'first-open' })),
  // biome-ignore lint/correctness/noEmptyPattern: see above
  shell: async ({}, use) => use(new MarkedShell()),
  board: async ({ port, kind, python, shell }, use) => use(new PluggedBoard(port, kind === 'python' ? python : shell)),
});

const dock = (page: Page) => page.getByRole('group', { name: 'Pasted lines' });

/** Pastes through the system's clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await message(page).focus();
  await page.keyboard.press('ControlOrMeta+V');
}

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();

test.beforeEach(({ context }) => context.grantPermissions(['clipboard-read', 'clipboard-write']));

test('code that is pasted at the prompt of Python runs as a file', async ({ terminal }) => {
  await connect(terminal);
  await expect(log(terminal)).toContainText('MicroPython v1.27.0');
  const code = [
    'def mean(values):',
    '    total = sum(values)',
    '',
    '    return total / len(values)',
    'for n in (1, 2):',
  ];
  await paste(terminal, [...code, "    print('n =', n)", "print('mean', mean([1, 2, 6]))", ''].join('\r\n'));
  await expect(dock(terminal).getByRole('radio', { name: 'Paste mode' })).toBeChecked();
  await terminal.getByRole('button', { name: 'Run 7 lines' }).click();
  await expect(log(terminal)).toContainText(/n = 1\s*(.*\s*)?n = 2\s*(.*\s*)?mean 3\.0\s*(.*\s*)?>>> $/);
  await expect(dock(terminal)).toHaveCount(0);
});

test.describe('a shell with marks around its prompt', () => {
  test.use({ kind: 'shell' });

  test('takes pasted lines one by one, and a long line in pieces that Escape stops', async ({ terminal, shell }) => {
    await connect(terminal);
    await expect(log(terminal)).toContainText('root@rk3588:~#');
    const commands = ['cd /root', 'export A=1', 'mkdir -p x'];
    await paste(terminal, commands.join('\n'));
    await expect(dock(terminal).getByRole('radio', { name: 'Wait for root@rk3588:~#' })).toBeChecked();
    await terminal.getByRole('button', { name: 'Send 3 lines' }).click();
    await expect(dock(terminal)).toHaveCount(0);
    expect(shell.lines).toEqual(commands);

    await terminal.getByRole('button', { name: /^Send options/ }).click();
    await terminal.getByRole('checkbox', { name: 'In pieces' }).check();
    await terminal.getByRole('textbox', { name: 'Pause after a piece in milliseconds' }).fill('5000');
    await terminal.keyboard.press('Escape');
    await message(terminal).fill(`echo ${'0123456789'.repeat(20)}`);
    await message(terminal).press('Enter');
    await expect(terminal.getByText('of 206 bytes sent to Port 1')).toBeVisible();
    expect(await findings(terminal)).toEqual([]);
    await message(terminal).press('Escape');
    await expect(log(terminal)).toContainText(/Stopped: \d+ of 206 bytes went to Port 1\./);
    expect(shell.lines).toEqual(commands);
  });
});
