import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { afterFirstLine, afterLastLine, asUtf8, encodingOf } from './log-encoding.ts';

/** Encodes text as UTF-16. */
function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  }
  return new Uint8Array(view.buffer);
}

const withMark = (mark: readonly number[], bytes: Uint8Array) => Uint8Array.from([...mark, ...bytes]);

describe('encoding of a log', () => {
  it.each([
    ['plain text', utf8('I (12) main: ready\n'), 'utf-8', 0, false],
    ['UTF-8 with a mark', withMark([0xef, 0xbb, 0xbf], utf8('20 °C\n')), 'utf-8', 3, false],
    ['UTF-8 that is cut in a character', utf8('20 °').subarray(0, 4), 'utf-8', 0, false],
    ['Latin-1', Uint8Array.from([...utf8('temperature 20 '), 0xb0, 0x43, 0x0a]), 'utf-8', 0, true],
    ['UTF-16 with a mark', withMark([0xff, 0xfe], utf16('ready\n', true)), 'utf-16le', 2, false],
    ['UTF-16 BE with a mark', withMark([0xfe, 0xff], utf16('ready\n', false)), 'utf-16be', 2, false],
    ['UTF-16 without a mark', utf16('ready\nsteady\n', true), 'utf-16le', 0, false],
    ['UTF-16 BE without a mark', utf16('ready\nsteady\n', false), 'utf-16be', 0, false],
    ['colours of a terminal', utf8('\x1b[0;32mI (1) a: b\x1b[0m\r\n'), 'utf-8', 0, false],
    ['a binary protocol', Uint8Array.from([0x7e, 0, 1, 2, 3, 4, 0x7e, 0, 0, 9]), 'bytes', 0, false],
    [
      'a binary protocol behind FF FE',
      Uint8Array.from({ length: 400 }, (_, at) => (at < 2 ? 0xff - at : (at * 7_919) >> 3)),
      'bytes',
      0,
      false,
    ],
    [
      'small numbers of 16 bits behind FF FE',
      Uint8Array.from({ length: 400 }, (_, at) => (at < 2 ? 0xff - at : at % 2 ? 0 : at % 29)),
      'bytes',
      0,
      false,
    ],
    [
      'noise in front of text',
      Uint8Array.from([0xff, 0xfe, ...utf8('rst:0x1 (POWERON), boot:0x13\n'.repeat(4))]),
      'utf-8',
      0,
      true,
    ],
    ['Japanese with a mark', withMark([0xff, 0xfe], utf16('温度 20\n湿度 46\n', true)), 'utf-16le', 2, false],
    ['text with some zeros', utf8(`${'\0'.repeat(4)}${'ready\n'.repeat(20)}`), 'utf-8', 0, false],
    [
      'numbers of 16 bits',
      Uint8Array.from({ length: 400 }, (_, at) => (at % 2 ? 0 : (at * 37) & 0xff)),
      'bytes',
      0,
      false,
    ],
    ['an empty file', new Uint8Array(0), 'utf-8', 0, false],
  ] as const)('is found for %s', (_, head, encoding, mark, isDamaged) => {
    expect(encodingOf(head)).toEqual({ encoding, mark, isDamaged });
  });

  it('turns UTF-16 and Latin-1 into UTF-8, character by character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(asUtf8(utf16(text, true), 'utf-16le')).toEqual(utf8(text));
        expect(asUtf8(utf16(text, false), 'utf-16be')).toEqual(utf8(text));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = [...bytes].map((byte) => String.fromCharCode(byte)).join('');
        expect(asUtf8(Uint8Array.from(bytes), 'latin1')).toEqual(utf8(text));
      }),
    );
  });

  it('keeps the bytes of UTF-8 and of binary files, damaged ones too', () => {
    const bytes = Uint8Array.from([0xff, 0xc3, 0x00, 0x0a]);
    expect(asUtf8(bytes, 'utf-8')).toBe(bytes);
    expect(asUtf8(bytes, 'bytes')).toBe(bytes);
  });

  it('finds the newlines of UTF-16 and not the same byte in other characters', () => {
    // U+0A41 and U+410A contain the byte of a newline.
    const little = utf16('\u0a41\u410a\nx\u0a0a', true);
    expect([afterFirstLine(little, 'utf-16le'), afterLastLine(little, 'utf-16le')]).toEqual([6, 6]);
    const big = utf16('\u0a41\u410a\nx\u0a0a', false);
    expect([afterFirstLine(big, 'utf-16be'), afterLastLine(big, 'utf-16be')]).toEqual([6, 6]);
    expect(afterFirstLine(utf8('ab'), 'utf-8')).toBe(-1);
    expect(afterLastLine(utf8('ab'), 'utf-8')).toBe(0);
  });
});
