import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { afterFirstLine, afterLastLine, asUtf8 } from './log-encoding.ts';

/** Encodes text as UTF-16. */
function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  }
  return new Uint8Array(view.buffer);
}

describe('encoding of a log', () => {
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
