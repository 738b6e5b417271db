import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DrawnBytes } from './drawn-bytes.ts';
import { DrawnLine } from './drawn-line.ts';
import { lineText, withoutColours } from './line-text.ts';
import { cutAt, utf8 } from './testing/line-channels.ts';

/** Output of boards: text, keys, and sequences, whole or cut anywhere. */
const pieces = fc.constantFrom(
  'a',
  'prompt> ',
  'é',
  '\r',
  '\b',
  '\x07',
  '\x1b',
  '\x1b[32m',
  '\x1b[0K',
  '\x1b[2C',
  '\x1b[?2004h',
  '\x1b[1;',
  '\x1b(B',
  '\x1b]133;A\x07',
  '\x1b]3008;start=1f2e;type=shell\x1b\\',
  '\x1b]0;title',
  '\x1bP1$r0m\x1b\\',
  '\x1b_G',
  '\\',
  '\x18',
);
const lines = fc.array(pieces, { maxLength: 24 }).map((all) => utf8(all.join('')));
const cuts = fc.array(fc.nat({ max: 60 }), { maxLength: 8 });

describe('a drawn line', () => {
  it('has the text that the log shows, however the stream is cut', () => {
    fc.assert(
      fc.property(lines, cuts, (bytes, at) => {
        const line = new DrawnLine(2_000);
        for (const piece of cutAt(bytes, at)) {
          line.take(piece);
        }
        expect(line.text).toBe(withoutColours(lineText(bytes, { open: true })));
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts neither marks nor overwritten text', () => {
    const line = new DrawnLine(20);
    for (let redraw = 0; redraw < 500; redraw++) {
      line.take(utf8(`\x1b]3008;start=${redraw};machineid=3deb5353d3ba43d08201c136a47ead7b\x1b\\\r\x1b[32mgw> \x1b[m`));
    }
    expect(line.text).toBe('gw> ');
    expect(line.isLong).toBe(false);
    line.take(utf8('a command of 20 bytes'));
    expect(line.isLong).toBe(true);
  });

  it('keeps the end of a longer line until the next one begins', () => {
    const line = new DrawnLine(8);
    line.take(utf8('0123456789'.repeat(100)));
    expect(line.text.endsWith('23456789')).toBe(true);
    expect(line.text.length).toBeLessThanOrEqual(16);
    line.end();
    expect(line).toMatchObject({ isLong: false, isEmpty: true, text: '' });
  });
});

describe('drawn bytes', () => {
  it('hold at most 64 bytes of a sequence without an end, and go on behind it', () => {
    for (const begin of ['\x1b]0;', '\x1bP', '\x1b[', '\x1b(']) {
      const drawn = new DrawnBytes();
      const filler = utf8((begin === '\x1b(' ? ' ' : '1').repeat(100_000));
      expect(drawn.take(Uint8Array.of(...utf8(begin), ...filler.subarray(0, 90_000)))).toHaveLength(0);
      const rest = drawn.take(utf8('\n# '));
      expect(rest.length).toBeLessThanOrEqual(64 + 3);
      expect(new TextDecoder().decode(rest).endsWith('\n# ')).toBe(true);
    }
  });
});
