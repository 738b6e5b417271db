import type { Terminal } from '@xterm/xterm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTerminal } from './make-terminal.ts';
import { alternateOff, HeaderFilter, modesOff, ScreenStream } from './screen-bytes.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (read: Uint8Array) => String.fromCharCode(...read);

/** Divides `whole` at random places. */
const chunks = (whole: string) =>
  fc
    .array(fc.nat({ max: whole.length }), { maxLength: 6 })
    .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), whole.length])
    .map((ends) => ends.slice(1).map((end, index) => whole.slice(ends[index], end)));

const make = () => makeTerminal({ cols: 20, rows: 6 }, { allowed: () => false, send: () => undefined }).terminal;

describe('headers of ZMODEM in a Screen', () => {
  /** Text that a terminal shows for the filtered chunks. */
  const shown = async (pieces: readonly string[]) => {
    const terminal = make();
    const filter = new HeaderFilter();
    for (const piece of pieces) {
      await new Promise<void>((resolve) => terminal.write(filter.filter(bytes(piece)), resolve));
    }
    const line = terminal.buffer.active.getLine(0)?.translateToString(true);
    terminal.dispose();
    return line;
  };

  it('are not drawn, wherever the chunks end', async () => {
    await fc.assert(
      fc.asyncProperty(chunks('# **\x18B0100000023be50\r\x8a\x11ok'), async (pieces) => {
        expect(await shown(pieces)).toBe('# ok');
      }),
      { numRuns: 60 },
    );
  });

  it('go with their line end and XON, and the text after them stays', async () => {
    expect(await shown(['rz\r**\x18B00000000000000\r\x8a\x11', '$'])).toBe('$z');
    expect(await shown(['**\x18B00000000000000\r\n\x11$'])).toBe('$');
  });

  it('are distinguished from stars and other controls', async () => {
    for (const other of ['***', '** \x18B01', '**\x18C01', '**\x18B01000000zz', '* *']) {
      await fc.assert(
        fc.asyncProperty(chunks(other), async (pieces) => {
          const filter = new HeaderFilter();
          expect(pieces.map((piece) => text(filter.filter(bytes(piece)))).join('')).toBe(other);
        }),
        { numRuns: 20 },
      );
    }
  });
});

describe('a restart of the board in a Screen', () => {
  const restarts = (pieces: readonly string[]) => {
    const stream = new ScreenStream();
    return pieces.flatMap((piece) => stream.take(bytes(piece))).filter((piece) => piece.restarts);
  };

  it.each([
    'ets Jul 29 2019 12:21:46',
    'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
    'ESP-ROM:esp32s3-20210327',
    'U-Boot SPL 2024.01 (Jan 01 2024)',
    'U-Boot 2024.01',
    '*** Booting Zephyr OS build v3.7.0 ***',
    '[    0.000000] Booting Linux on physical CPU 0x0',
    'Starting kernel ...',
    'MPY: soft reboot',
    'raspberrypi login:',
  ])('is detected by %j, wherever the chunks end', (line) => {
    fc.assert(
      fc.property(chunks(`~\r\n${line}`), (pieces) => {
        const found = restarts([...pieces, '\r\nmore\r\n']);
        expect(found).toHaveLength(1);
        const [piece] = found;
        expect(text(piece?.before ?? bytes('')) + text(piece?.bytes ?? bytes(''))).toContain(line.slice(0, 4));
      }),
    );
  });

  it('is not detected in other text', () => {
    const other = ['help', 'the rst:0x1 line', 'login: ', 'reset', '-- login: --', 'Last login: Mon'].join('\r\n');
    expect(restarts([`${other}\r\n`])).toEqual([]);
  });

  it('leaves every byte in its place', () => {
    const whole = 'vim\r\nets Jul 29 2019\r\n\r\nrst:0x1 (POWERON)\r\nhello\r\n';
    fc.assert(
      fc.property(chunks(whole), (pieces) => {
        const stream = new ScreenStream();
        expect(pieces.flatMap((piece) => stream.take(bytes(piece)).map((part) => text(part.bytes))).join('')).toBe(
          whole,
        );
      }),
    );
  });
});

describe('the modes of a program that is gone', () => {
  let terminal: Terminal;
  const write = (data: string) => new Promise<void>((resolve) => terminal.write(data, resolve));
  const line = (row: number) => terminal.buffer.active.getLine(row)?.translateToString(true);
  beforeEach(() => {
    terminal = make();
  });
  afterEach(() => terminal.dispose());

  it('are those of a new terminal again, and the text stays', async () => {
    const fresh = make();
    await write('kept\r\n');
    await write(
      '\x1b[?1;7;45;1000;1002;1003;1004;1006;2004;2026h\x1b=\x1b[4;20h\x1b[?6h\x1b[2;4r\x1b(0\x1b)0\x0e\x1b[?25l\x1b[31;7m\x1b[?7l',
    );
    await write(modesOff);
    expect(terminal.modes).toEqual(fresh.modes);
    expect(line(0)).toBe('kept');
    await write('\x1b[6;1Hlqk\r\nnext');
    // Letters in place of line drawing, in the default colour, and the whole screen scrolls.
    expect(line(terminal.buffer.active.baseY + 4)).toBe('lqk');
    expect(line(terminal.buffer.active.baseY + 5)).toBe('next');
    const cell = terminal.buffer.active.getLine(terminal.buffer.active.baseY + 5)?.getCell(0);
    expect([cell?.isFgDefault(), cell?.isInverse()]).toEqual([true, 0]);
    fresh.dispose();
  });

  it('end with an unfinished sequence', async () => {
    await write('\x1b]0;title without an end');
    await write(`${modesOff}boot`);
    expect(line(0)).toBe('boot');
  });

  it('end with the alternate screen, and the text from before it is there', async () => {
    await write('$ vim\x1b[?1049h\x1b[H~\r\n~\r\n-- INSERT --');
    expect(terminal.buffer.active.type).toBe('alternate');
    await write(`${alternateOff}${modesOff}U-Boot`);
    expect(terminal.buffer.active.type).toBe('normal');
    expect([line(0), line(1)]).toEqual(['$ vim', 'U-Boot']);
  });
});
