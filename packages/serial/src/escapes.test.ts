import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeEscaped, escapeBytes, unescapeText } from './escapes.ts';
import { utf8 } from './testing/line-channels.ts';

describe('escapes', () => {
  const encode = (text: string) => encodeEscaped(text, 'lf');

  it('give back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(unescapeText(escapeBytes(bytes))).toEqual({ ok: true, bytes: Uint8Array.from(bytes) });
      }),
    );
  });

  it('leave any text alone that has none in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !text.includes('\\')),
        (text) => {
          expect(unescapeText(text)).toEqual({ ok: true, bytes: utf8(text) });
        },
      ),
    );
  });

  it('stand for controls, bytes and characters; the line ending comes behind them', () => {
    expect(encode(String.raw`AT\r\0\t\\n\x1b\xFF\u{20ac}\u{01F600}é`)).toEqual({
      ok: true,
      bytes: Uint8Array.from([...utf8('AT\r\0\t\\n\x1b'), 0xff, ...utf8('€😀é\n')]),
    });
    expect(encodeEscaped('', 'crlf')).toEqual({ ok: true, bytes: utf8('\r\n') });
  });

  it('may have 256 characters as they are typed, and no more', () => {
    expect(encode('\\x41'.repeat(64))).toEqual({ ok: true, bytes: utf8(`${'A'.repeat(64)}\n`) });
    expect(encode('a'.repeat(257))).toEqual({
      ok: false,
      code: 'too-long',
      message: 'Command exceeds maximum length of 256 characters. Please shorten your command.',
    });
  });

  it.each([
    ['unknown-escape', String.raw`a\q`, 1, 'Character 2: escapes are'],
    ['unknown-escape', 'abc\\', 3, 'Character 4: escapes are'],
    ['bad-byte-escape', String.raw`\n\x1`, 2, 'Character 3: \\x needs two hex digits'],
    ['bad-byte-escape', String.raw`\xG0`, 0, 'Character 1: \\x needs two hex digits'],
    ['bad-character-escape', String.raw`\u20ac`, 0, 'Character 1: \\u needs a character number'],
    ['bad-character-escape', String.raw`\u{110000}`, 0, 'Character 1: \\u needs a character number'],
    ['bad-character-escape', String.raw`\u{d800}`, 0, 'Character 1: \\u needs a character number'],
    ['bad-character-escape', String.raw`\u{}`, 0, 'Character 1: \\u needs a character number'],
  ])('are refused with their place: %s in %s', (code, text, at, message) => {
    expect(encode(text)).toEqual({ ok: false, code, at, message: expect.stringContaining(message) });
  });
});
