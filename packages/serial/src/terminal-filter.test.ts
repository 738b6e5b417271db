import { Terminal } from '@xterm/xterm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ShownReturns, TerminalFilter } from './terminal-filter.ts';
import { cutAt, latin1, utf8 } from './testing/line-channels.ts';

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function filtered(pieces: readonly Uint8Array[], returns: ShownReturns = 'lf'): string {
  const filter = new TerminalFilter(returns);
  return latin1(Uint8Array.from([...pieces.flatMap((piece) => [...filter.take(piece)]), ...filter.end()]));
}

/** Acts of a board on a terminal, by what they do. */
const hostile: readonly (readonly [string, string])[] = [
  ['window title', '\x1b]0;title\x07'],
  ['window title with ST', '\x1b]2;title\x1b\\'],
  ['clipboard', '\x1b]52;c;cm0gLXJmIH4=\x07'],
  ['device status', '\x1b[5n\x1b[6n\x1b[?6n'],
  ['device attributes', '\x1b[c\x1b[>c\x1b[=c\x1bZ'],
  ['setting reports', '\x1bP$qm\x1b\\'],
  ['mode reports', '\x1b[?2026$p\x1b[x'],
  ['window reports', '\x1b[18t\x1b[21t\x1b[14t'],
  ['answerback', '\x05'],
  ['character sets', '\x1b(0\x0e\x1b)0\x0f\x1b%G'],
  ['keyboard modes', '\x1b=\x1b[?1h\x1b[>4;2m\x1b[>1u\x1b[4h'],
  ['bracketed paste', '\x1b[?2004h'],
  ['mouse modes', '\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[1;2;3;4;5T'],
  ['printing', '\x1b[5i\x1b[4i\x1b[i'],
  ['palette', '\x1b]4;1;rgb:00/00/00\x07\x1b]104\x07\x1b]P1000000\x07'],
  ['hyperlink', '\x1b]8;;http://evil.example\x07'],
  ['alternate screen', '\x1b[?1049h\x1b[?47h'],
  ['reset', '\x1bc\x1b[!p'],
  ['scrollback', '\x1b[3J'],
  ['long repetition', '\x1b[999999999b'],
  ['cursor style', '\x1b[5 q'],
  ['private strings', '\x1b_Gf=100;x\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\'],
];

const harmless = [
  '\x1b[1;31mred\x1b[0m',
  '\x1b[38:2::1:2:3mtrue colour\x1b[m',
  '\x1b[2J\x1b[H\x1b[K\x1b[1K\x1b[J',
  '\x1b[5;10H\x1b[3A\x1b[B\x1b[2C\x1b[D\x1b[4G\x1b[2d',
  '\x1b[2L\x1b[M\x1b[3@\x1b[P\x1b[4X\x1b[2S\x1b[T\x1b[3b',
  '\x1b7\x1b8\x1b[s\x1b[u\x1bD\x1bE\x1bM',
  '\tmenu\b \x07\r\n',
  '21.5 °C – größer ✓ 🔥',
];

describe('terminal filter', () => {
  it.each(hostile)('removes: %s', (_what, sequence) => {
    expect(filtered([bytesOf(`a${sequence}b`)])).toBe('ab');
  });

  it.each(harmless)('keeps %j', (text) => {
    expect(filtered([utf8(text)])).toBe(latin1(utf8(text)));
  });

  it('has the same result however the bytes are cut', () => {
    const piece = fc.constantFrom(
      ...hostile.map(([, sequence]) => sequence),
      ...harmless.map((text) => latin1(utf8(text))),
    );
    const noise = fc.uint8Array({ maxLength: 8 }).map(latin1);
    const stream = fc.array(fc.oneof(piece, noise), { maxLength: 6 }).map((pieces) => bytesOf(pieces.join('')));
    const cuts = fc.array(fc.nat({ max: 80 }), { maxLength: 8 });
    fc.assert(
      fc.property(stream, cuts, fc.constantFrom('auto', 'cr', 'lf'), (bytes, at, returns) => {
        expect(filtered(cutAt(bytes, at), returns)).toBe(filtered([bytes], returns));
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows 8-bit controls as U+FFFD, alone and in UTF-8, without a loss of text', () => {
    const replaced = latin1(utf8('\ufffd'));
    expect(filtered([bytesOf('\x9d0;title\x07 \x9b6n \x90x')])).toBe(
      `${replaced}0;title\x07 ${replaced}6n ${replaced}x`,
    );
    expect(filtered([bytesOf('\xc2\x9b6n \xe2\x9bz \xe0\x82\x9b')])).toBe(
      `${replaced}6n \xe2${replaced}z \xe0${replaced}${replaced}`,
    );
    expect(filtered([bytesOf('\xff \xb0C')])).toBe('\xff \xb0C');
  });

  it('ends a string that was cut short with its line, or after 64 KiB', () => {
    expect(filtered([bytesOf('\x1b]0;title\nnext')])).toBe('\nnext');
    const text = filtered([bytesOf(`\x1b]0;${'x'.repeat(70_000)}`)]);
    expect(text).toBe('x'.repeat(70_003 - 65_536));
    expect(filtered([bytesOf(`\x1b[${'1'.repeat(70_000)}`)])).toBe('1'.repeat(70_001 - 65_536));
  });

  it('does not build a sequence from an ESC, a control and text', () => {
    expect(filtered([bytesOf('\x1b\n]0;title\x07')])).toBe('\n]0;title\x07');
    expect(filtered([bytesOf('\x1b[\n6n')])).toBe('\n6n');
  });

  it('ends what the board has left on', () => {
    expect(filtered([bytesOf('\x1b[31mred')])).toBe('\x1b[31mred\x1b[0m');
    expect(filtered([bytesOf('\x1b[31mred\x1b[0m\x1b[?25l\x1b[?25h')])).toBe('\x1b[31mred\x1b[0m\x1b[?25l\x1b[?25h');
    expect(filtered([bytesOf('\x1b[?25l\x1b[2;5r')])).toBe('\x1b[?25l\x1b[2;5r\x1b[?25h\x1b7\x1b[r\x1b8');
  });

  it.each([
    ['auto', 'one\rtwo\r\nthree\r100 %\n', 'one\r\ntwo\r\nthree\r100 %\n'],
    ['auto', 'one\r\rtwo\r', 'one\r\r\ntwo\r'],
    ['auto', 'one\r\x1b[32mtwo\x1b[0m', 'one\r\n\x1b[32mtwo\x1b[0m'],
    ['cr', 'a\nb\rc\r\nd', 'a\nb\r\nc\r\nd'],
    ['lf', 'a\rb\rc', 'a\rb\rc'],
  ] as const)('shows a CR alone with %s: %j', (returns, given, shown) => {
    expect(filtered([bytesOf(given)], returns)).toBe(shown);
  });

  it('leaves a terminal of xterm.js without answers, titles and modes', async () => {
    const terminal = new Terminal({
      cols: 80,
      rows: 24,
      allowProposedApi: true,
      logLevel: 'off',
      windowOptions: { getWinSizeChars: true },
    });
    let acts = '';
    terminal.onData((data) => {
      acts += data;
    });
    terminal.onTitleChange((title) => {
      acts += title;
    });
    const modes = { ...terminal.modes };
    const filter = new TerminalFilter('auto');
    const write = (bytes: Uint8Array) => new Promise<void>((resolve) => terminal.write(bytes, resolve));
    for (const [, sequence] of hostile) {
      await write(filter.take(bytesOf(sequence)));
    }
    expect([acts, terminal.modes, terminal.buffer.active.type]).toEqual(['', modes, 'normal']);
    for (const [, sequence] of hostile) {
      await write(bytesOf(sequence));
    }
    expect(acts).not.toBe('');
    terminal.dispose();
  });
});
