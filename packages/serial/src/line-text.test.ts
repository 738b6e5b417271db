import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, logText, withoutColours } from './line-text.ts';
import { utf8 } from './testing/line-channels.ts';
import { decodeVisibly, unfinishedLength } from './visible-utf8.ts';

/** Any text, surrogates apart. */
const unicode = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_ffff }))
    .map((code) => String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code)),
});

describe('UTF-8', () => {
  it('is decoded as everybody decodes it', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        expect(decodeVisibly(utf8(text))).toBe(text);
      }),
    );
  });

  it('shows each invalid byte, and nothing but those', () => {
    expect(decodeVisibly(Uint8Array.of(0x61, 0xff, 0xe2, 0x82, 0x62))).toBe('a\\xff\\xe2\\x82b');
    expect(decodeVisibly(Uint8Array.of(0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf4, 0x90))).toBe(
      '\\xc0\\x80\\xed\\xa0\\x80\\xf4\\x90',
    );
    expect(decodeVisibly(utf8('a replacement \ufffd that was sent'))).toBe('a replacement \ufffd that was sent');
  });

  it('is valid just where the decoder of the platform finds no fault', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const nearlyUtf8 = fc
      .array(fc.constantFrom(0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc3, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5))
      .map((bytes) => Uint8Array.from(bytes));
    fc.assert(
      fc.property(nearlyUtf8, (bytes) => {
        let valid = true;
        try {
          strict.decode(bytes);
        } catch {
          valid = false;
        }
        expect(decodeVisibly(bytes).includes('\\x')).toBe(!valid);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds how much of a sequence is there when a read cut it', () => {
    fc.assert(
      fc.property(unicode, fc.nat(), (text, at) => {
        const bytes = utf8(text);
        const head = bytes.subarray(0, at % (bytes.length + 1));
        const whole = head.subarray(0, head.length - unfinishedLength(head));
        expect(text.startsWith(decodeVisibly(whole))).toBe(true);
      }),
    );
    expect(unfinishedLength(Uint8Array.of(0xe2, 0x82))).toBe(2);
    expect(unfinishedLength(Uint8Array.of(0xe2, 0x41))).toBe(0);
    expect(unfinishedLength(Uint8Array.of(0xe0, 0x80))).toBe(0);
  });
});

describe('line text', () => {
  it('is plain text as it is, tabs included', () => {
    expect(lineText(utf8('a\tb 21.5 °C'))).toBe('a\tb 21.5 °C');
  });

  it('shows control bytes and bytes that are no text', () => {
    expect(lineText(Uint8Array.of(0x00, 0x41, 0x07, 0x1b, 0x7f, 0x80))).toBe('\\x00A\\x07\\x1b\\x7f\\x80');
    expect(lineText(utf8('\x85 \u202e \ufeff'))).toBe('\\u0085 \\u202e \\ufeff');
  });

  it('leaves the colours to who draws them, and shows every other escape', () => {
    expect(lineText(utf8('\x1b[0;31mE\x1b[0m\x1b[2K\x1b[38:2::1:2:3m'))).toBe(
      '\x1b[0;31mE\x1b[0m\\x1b[2K\x1b[38:2::1:2:3m',
    );
    expect(withoutColours('\x1b[0;31mE\x1b[0m!')).toBe('E!');
  });

  it('writes out everything when asked to', () => {
    expect(lineText(utf8('\x1b[31m\ta\r'), { showControls: true })).toBe('\\x1b[31m\\ta\\r');
  });

  it('leaves out the beginning of a character only while the line is open', () => {
    const cut = utf8('21 °').subarray(0, 4);
    expect(lineText(cut, { open: true })).toBe('21 ');
    expect(lineText(cut)).toBe('21 \\xc2');
  });

  it.each([
    ['10 %\r20 %', '20 %'],
    ['10 %\r20 %\r', '20 %'],
    ['10 %\r\r', '10 %'],
    ['\rprompt', 'prompt'],
    ['\r', ''],
    ['', ''],
    ['two\r\nlines sent at once', 'two\\r\\nlines sent at once'],
    ['gone\ra\r\nb', 'a\\r\\nb'],
  ])('shows of %j what was written over last', (received, shown) => {
    expect(lineText(utf8(received))).toBe(shown);
  });

  it('never puts a control on the screen but tabs and colours, whatever was received', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, open) => {
        expect(withoutColours(lineText(bytes, { open }))).not.toMatch(/[^\P{Cc}\t]/u);
      }),
    );
  });
});

describe('log text', () => {
  it('keeps what was written over, and leaves out the colours', () => {
    expect(logText(utf8('\x1b[32m10 %\r20 %\x1b[0m\x07'))).toBe('10 %\\r20 %\\x07');
  });
});
