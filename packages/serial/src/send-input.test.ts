import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexText } from './hex-text.ts';
import { encodeInput, encodePinned, type LineEnding, tidyHex } from './send-input.ts';
import { utf8 } from './testing/line-channels.ts';

const anyBytes = fc.uint8Array({ maxLength: 80 });
const refusal = (code: string, message: string) => ({ ok: false, code, message });
const tooLong = refusal('too-long', 'Command exceeds maximum length of 256 characters. Please shorten your command.');

describe('text', () => {
  it.each<[LineEnding, string]>([
    ['none', 'AT é'],
    ['lf', 'AT é\n'],
    ['cr', 'AT é\r'],
    ['crlf', 'AT é\r\n'],
  ])('is UTF-8 with the line ending %s', (lineEnding, sent) => {
    expect(encodeInput('AT é', 'text', lineEnding)).toEqual({ ok: true, bytes: utf8(sent) });
    expect(encodePinned('AT é', 'text', lineEnding)).toEqual({ ok: true, bytes: utf8(sent) });
  });

  it('is only the line ending if it is empty, as when a person presses Enter', () => {
    expect(encodeInput('', 'text', 'crlf')).toEqual({ ok: true, bytes: utf8('\r\n') });
  });

  it('may have 256 characters and no more, in both modes and places', () => {
    for (const encode of [encodeInput, encodePinned]) {
      expect(encode('é'.repeat(256), 'text', 'crlf').ok).toBe(true);
      expect(encode('é'.repeat(257), 'text', 'none')).toEqual(tooLong);
      expect(encode('0'.repeat(256), 'hex', 'none').ok).toBe(true);
      expect(encode('0'.repeat(257), 'hex', 'none')).toEqual(tooLong);
    }
  });
});

describe('hex', () => {
  it('gives back any bytes, however they are written', () => {
    fc.assert(
      fc.property(anyBytes, fc.constantFrom('', ' ', '\n', '\t '), fc.boolean(), (bytes, between, small) => {
        const written = hexText(bytes).replaceAll(' ', between);
        const typed = small ? written.toLowerCase() : written;
        fc.pre(typed.length <= 256);
        expect(encodeInput(typed, 'hex', 'crlf')).toEqual({ ok: true, bytes: Uint8Array.from(bytes) });
        expect(encodePinned(typed, 'hex', 'none')).toEqual({ ok: true, bytes: Uint8Array.from(bytes) });
      }),
    );
  });

  it('is padded with a leading 0 in the input when its digits are odd', () => {
    expect(encodeInput('1', 'hex', 'none')).toEqual({ ok: true, bytes: Uint8Array.of(0x01) });
    expect(encodeInput('1 23', 'hex', 'none')).toEqual({ ok: true, bytes: Uint8Array.of(0x01, 0x23) });
    expect(encodeInput('A B', 'hex', 'none')).toEqual({ ok: true, bytes: Uint8Array.of(0xab) });
  });

  it('is never padded if pinned: an even number of digits means whole bytes, with any spaces', () => {
    expect(encodePinned('A B', 'hex', 'none')).toEqual({ ok: true, bytes: Uint8Array.of(0xab) });
    expect(encodePinned('ABC DEF', 'hex', 'none')).toEqual({ ok: true, bytes: Uint8Array.of(0xab, 0xcd, 0xef) });
    expect(encodePinned('1, 2', 'hex', 'none')).toMatchObject({ code: 'odd-hex' });
  });

  it('is refused if pinned with an odd number of digits', () => {
    expect(encodePinned('1 23', 'hex', 'none')).toEqual(
      refusal('odd-hex', 'Hex string must have even number of characters'),
    );
  });

  it('is refused when there is anything else in it', () => {
    const others = fc
      .string({ minLength: 1, maxLength: 100 })
      .filter((text) => /[^0-9a-f\s,;{}x\\/*]/i.test(text.replaceAll(/[/*=]/g, '')));
    fc.assert(
      fc.property(others, (given) => {
        const text = given.replaceAll(/[/*=]/g, '');
        expect(encodeInput(text, 'hex', 'none')).toEqual(
          refusal('invalid-input-hex', 'Invalid hex input. Please enter valid hex characters (0-9, A-F)'),
        );
        expect(encodePinned(text, 'hex', 'none')).toEqual(refusal('invalid-hex', 'Invalid hex characters detected'));
      }),
    );
  });

  it('is kept as pairs of digits where another notation was typed', () => {
    expect(tidyHex(' B562 06\n')).toBe('B562 06');
    expect(tidyHex('{0x41, 0x4};')).toBe('41 04');
    expect(tidyHex('1 2')).toBe('12');
    expect(tidyHex('12 3')).toBe('12 3');
    expect(tidyHex('XY ')).toBe('XY');
    expect(tidyHex('1 '.repeat(128))).toBe('11 '.repeat(64).trim());
    expect(tidyHex('0x1 '.repeat(64))).toBe('01 '.repeat(64).trim());
    expect(tidyHex('0x1,'.repeat(90))).toBe('01'.repeat(90));
  });
});
