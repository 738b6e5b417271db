/** The terminal of a Screen beside tmux: the same bytes of other people's programs, compared cell by cell. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ProgramWatch } from '@wirebench/serial';
import type { IBufferCell, Terminal } from '@xterm/xterm';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTerminal } from './make-terminal.ts';
import { columns, lines, programsAreHere, TmuxPane } from './testing/tmux-pane.ts';

/** The genuine interpreter of MicroPython, with its own REPL. */
const microPython = createRequire(import.meta.url).resolve(
  '@micropython/micropython-webassembly-pyscript/micropython.mjs',
);
const quiet = { allowed: () => false, send: () => undefined };
const write = (terminal: Terminal, data: string | Uint8Array) =>
  new Promise<void>((resolve) => terminal.write(data, resolve));

/** A colour as one word: `31` and `38;5;1` are the same. */
const colour = (isDefault: boolean, isRgb: boolean, value: number) => (isDefault ? '-' : `${isRgb ? '#' : ''}${value}`);

function cellText(cell: IBufferCell): string {
  const marks = [
    cell.isBold() && 'b',
    cell.isDim() && 'd',
    cell.isItalic() && 'i',
    cell.isUnderline() && 'u',
    cell.isInverse() && 'r',
    cell.isInvisible() && 'h',
  ].filter(Boolean);
  const fore = colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const back = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  return `${cell.getChars() || ' '} ${fore} ${back} ${marks.join('')}`;
}

/** Returns each cell of the visible screen with its attributes, line by line. Null: nothing was written there. */
function cellsOf(terminal: Terminal): (string | null)[][] {
  const { active } = terminal.buffer;
  return Array.from({ length: lines }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    return Array.from({ length: columns }, (__, column) => {
      const cell = line?.getCell(column);
      return cell === undefined || cell.getCode() === 0 ? null : cellText(cell);
    });
  });
}

const isBlank = (cell: string | null) => cell === null || cell.startsWith(' ');

/** Bytes in a millisecond at 115,200 baud 8N1. */
const bytesPerMs = 11.52;

/** A program, shown by tmux and by our terminal. */
class Compared {
  readonly pane: TmuxPane;
  readonly ours = makeTerminal({ cols: columns, rows: lines }, quiet).terminal;
  readonly #watch = new ProgramWatch();
  /** True: the log has taken the bytes for those of a full-screen program, now or before. */
  ranFullScreen = false;
  #written = 0;

  constructor(...command: readonly string[]) {
    this.pane = new TmuxPane(...command);
  }

  /** Writes what the program has written since, in pieces as a port gives them. */
  async catchUp(): Promise<void> {
    const raw = this.pane.raw;
    while (this.#written < raw.length) {
      const piece = raw.subarray(this.#written, this.#written + 1 + (this.#written % 61));
      this.#written += piece.length;
      this.#watch.received(piece, this.#written / bytesPerMs);
      this.ranFullScreen ||= this.#watch.isRunning;
      await write(this.ours, piece);
    }
  }

  /** Waits until tmux shows `text`, and both show the same. */
  async same(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.pane.text).toMatch(text);
    await expect.poll(() => this.#differences()).toEqual([]);
  }

  /** Returns what differs now: place, and tmux's cell beside ours. */
  async #differences(): Promise<string[]> {
    await this.catchUp();
    const { screen, cursor } = this.pane;
    // With the line drawings that tmux writes in G1, and without a wrap behind its full lines.
    const { terminal } = makeTerminal({ cols: columns, rows: lines }, quiet);
    await write(terminal, `\x1b)0\x1b[?7l${screen.trimEnd().split('\n').join('\r\n')}`);
    const ours = cellsOf(this.ours);
    const found = cellsOf(terminal).flatMap((line, row) =>
      line.flatMap((cell, column) => {
        const own = ours[row]?.[column] ?? null;
        // tmux writes nothing for what was erased at the end of a line, not even its background.
        const isSame = cell === own || (isBlank(cell) && isBlank(own) && (cell === null || own === null));
        return isSame ? [] : [`${row},${column}: ${cell} | ${own}`];
      }),
    );
    terminal.dispose();
    const { cursorX, cursorY } = this.ours.buffer.active;
    const [x = 0, y = 0] = cursor.split(',').map(Number);
    const isThere = Math.min(cursorX, columns - 1) === Math.min(x, columns - 1) && cursorY === y;
    return isThere ? found : [...found, `cursor: ${cursor} | ${cursorX},${cursorY}`];
  }

  end(): void {
    this.pane.end();
    this.ours.dispose();
  }
}

/**
 * The screens of vttest's menus, by a text on them. Null: tmux shows something else than a VT100 there. It clears the screen
 * with a change between 80 and 132 columns that a Screen ignores, and sets the origin mode's lines elsewhere.
 */
const vttestScreens: Readonly<Record<string, readonly (RegExp | null)[]>> = {
  1: [/E{20}/, /E{20}/, null, null, /cursor-control characters/, /leading zeros/],
  2: [
    /three identical lines/,
    /TAB setting/,
    /light background/,
    /light background/,
    /dark background/,
    /dark background/,
    /Push <RETURN>/,
    /Push <RETURN>/,
    /Push <RETURN>/,
    /Push <RETURN>/,
    null,
    /top of the screen/,
    /Graphic rendition/,
    /Graphic rendition/,
    /AAAAA/,
  ],
};

let compared: Compared | null = null;
afterEach(() => {
  compared?.end();
  compared = null;
});

function begin(...command: readonly string[]) {
  const both = new Compared(...command);
  compared = both;
  return { pane: both.pane, both, same: (text: string | RegExp) => both.same(text) };
}

describe('beside tmux', () => {
  it.skipIf(!programsAreHere('tmux'))('MicroPython: completion, history, Ctrl+C, paste mode', async () => {
    const { pane, both, same } = begin(process.execPath, microPython);
    await same('>>>');
    pane.type('import sys');
    pane.keys('Enter');
    pane.type('sys.platf');
    pane.keys('Tab', 'Enter');
    await same("'webassembly'");
    pane.type('never to be run');
    pane.keys('C-c');
    pane.keys('Up', 'Up', 'Up', 'Down', 'Enter');
    await same(/'webassembly'[\s\S]*'webassembly'/);
    pane.keys('C-e');
    await same('paste mode');
    pane.type('total = 0');
    pane.keys('Enter');
    pane.type('print(total + 42)');
    pane.keys('Enter', 'C-d');
    await same(/^42$/m);
    expect(both.ranFullScreen).toBe(false);
  });

  it.skipIf(!programsAreHere('tmux', 'bash'))('bash with readline: editing, history, completion, search', async () => {
    const { pane, both, same } = begin('bash', '--norc', '--noprofile', '-i');
    await same(/^\$/m);
    writeFileSync(join(pane.folder, 'a-long-file-name'), 'content\n');
    pane.type('cd');
    pane.keys('Enter');
    pane.type('cat a-lo');
    pane.keys('Tab', 'Enter');
    await same('content');
    pane.type(`echo ${'wrapped '.repeat(14)}`);
    pane.keys('Home', 'Right', 'Right', 'DC', 'End', 'BSpace', 'C-w');
    await same('wrapped');
    pane.keys('C-c', 'Up', 'C-a', 'C-k', 'C-y', 'Enter');
    await same('content');
    pane.keys('C-r');
    pane.type('a-lo');
    await same('reverse-i-search');
    pane.keys('C-g');
    pane.type(
      "printf '\\e[38;5;208m256\\e[48;2;1;2;3mtrue\\e[0m \\e[1;4;7mall\\e[m\\n'; clear -x; ls --color=always -la /",
    );
    pane.keys('Enter');
    await same('usr');
    expect(both.ranFullScreen).toBe(false);
  });

  it.skipIf(!programsAreHere('tmux', 'vim'))('vim: insert, search, split windows, visual mode', async () => {
    const { pane, both, same } = begin(
      'vim',
      '-u',
      'NONE',
      '-N',
      '-n',
      '-c',
      'set number hlsearch ruler laststatus=2 | syntax on',
      '/etc/passwd',
    );
    await same('root');
    pane.type('Onew line über € ');
    pane.keys('Escape');
    await same('new line');
    pane.type('/bin');
    pane.keys('Enter');
    await same('/bin');
    pane.type(':vsplit');
    pane.keys('Enter');
    pane.type('Gdd3k');
    await same('passwd');
    pane.keys('C-w', 'w');
    pane.type('ggVjjj');
    await same('VISUAL LINE');
    pane.keys('Escape', 'C-f', 'C-b');
    await same('new line');
    expect(both.ranFullScreen).toBe(true);
  });

  it.skipIf(!programsAreHere('tmux', 'htop'))('htop: meters, list, setup', async () => {
    const { pane, both, same } = begin('htop', '-d', '100');
    await same('PID');
    expect(both.ranFullScreen).toBe(true);
    pane.keys('Down', 'Down', 'F5');
    await same('PID');
    pane.keys('F2');
    await same('Setup');
    pane.keys('Escape', 'F1');
    await same('htop');
  });

  it.skipIf(!programsAreHere('tmux', 'vttest'))('vttest: cursor movements and screen features', async () => {
    const { pane, same } = begin('vttest', '24x80.80');
    for (const [menu, screens] of Object.entries(vttestScreens)) {
      await same('Enter choice number');
      pane.type(menu);
      pane.keys('Enter');
      for (const [index, title] of screens.entries()) {
        await expect.poll(() => pane.text).toMatch(title ?? /Push <RETURN>/);
        if (title !== null) {
          await same(title).catch((error: unknown) => {
            throw new Error(`Screen ${index} of menu ${menu} differs`, { cause: error });
          });
        }
        pane.keys('Enter');
      }
    }
  });
});

/** A program under a pseudo-terminal of its own, with our terminal in front of it. */
function run(command: string) {
  const child = spawn('script', ['-qefc', `stty rows ${lines} cols ${columns} 115200; ${command}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm-256color' },
  });
  const answers: string[] = [];
  const send = (answer: string) => {
    answers.push(answer);
    child.stdin.write(answer);
  };
  const { terminal, onInput } = makeTerminal({ cols: columns, rows: lines }, { allowed: () => true, send });
  onInput((data) => child.stdin.write(data));
  child.stdout.on('data', (bytes: Buffer) => terminal.write(bytes));
  const shown = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: lines }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true)).join(
      '\n',
    );
  };
  const end = () => {
    child.kill();
    terminal.dispose();
  };
  return { answers, shown, type: (keys: string) => terminal.input(keys, true), end };
}

const uBoot = '/usr/lib/u-boot/qemu_arm/u-boot.bin';

describe('with answers of its own', () => {
  it.skipIf(!programsAreHere('script', 'vttest'))('vttest finds the reports of a VT100 in them', async () => {
    const { answers, shown, type, end } = run('exec vttest 24x80.80');
    const choose = async (at: RegExp, key: string) => {
      await expect.poll(shown).toMatch(at);
      type(`${key}\r`);
    };
    await choose(/Enter choice number \(0 - 12\)/, '6');
    await choose(/Device Status Report/, '3');
    await choose(/TERMINAL OK[\s\S]*5 ; 1 R {2}-- OK[\s\S]*Push <RETURN>/, '');
    await choose(/Primary Device Attributes/, '4');
    await expect.poll(shown).toMatch(/Report is: <27> \[ \? 1 ; 2 c/);
    expect(answers).toContain('\x1b[?1;2c');
    end();
  });

  it.skipIf(!programsAreHere('script', 'qemu-system-arm') || !existsSync(uBoot))(
    'U-Boot is stopped before it boots, edits a line, and has a history',
    async () => {
      const { shown, type, end } = run(`exec qemu-system-arm -M virt -m 128 -nographic -net none -bios ${uBoot}`);
      await expect.poll(shown, { timeout: 60_000 }).toMatch(/Hit any key to stop autoboot|=>/);
      type(' ');
      await expect.poll(shown, { timeout: 60_000 }).toMatch(/=> *$/m);
      type('echo wrld');
      await expect.poll(shown).toMatch('=> echo wrld');
      type('\x1b[D\x1b[D\x1b[Do\r');
      await expect.poll(shown).toMatch(/^world$/m);
      type('\x1b[A');
      await expect.poll(shown).toMatch(/=> echo world\s*$/);
      type('\x7f\x7f\x7f\x7f\x7fboot\r');
      await expect.poll(shown).toMatch(/^boot$/m);
      end();
    },
  );
});
