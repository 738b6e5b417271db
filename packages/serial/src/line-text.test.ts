import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineText, logText, sentText, withoutColours } from './line-text.ts';
import { utf8 } from './testing/line-channels.ts';
import { decodeVisibly, unfinishedLength } from './visible-utf8.ts';

/** Any text without surrogates. */
const unicode = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_ffff }))
    .map((code) => String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code)),
});

describe('UTF-8', () => {
  it('is decoded to the original text', () => {
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
    expect(lineText(Uint8Array.of(0x01, 0x41, 0x07, 0x1b, 0x7f, 0x80))).toBe('\\x01A\\x1b\\x7f\\x80');
    expect(lineText(utf8('\x85 \u202e \ufeff'))).toBe('\\u0085 \\u202e \\ufeff');
  });

  it('leaves out NUL, which a VT100 ignores, also between overwritten characters', () => {
    expect(lineText(utf8('\0PA\0SS\0'))).toBe('PASS');
    expect(lineText(utf8('\x1b[1;31m\0E\0\x1b[0m\0'))).toBe('\x1b[1;31mE\x1b[0m');
    expect(lineText(utf8('50 %\0\r\x00100 %'))).toBe('100 %');
    expect(lineText(utf8('ab\0\x08c'))).toBe('ac');
    expect(logText(utf8('PASS\0'))).toBe('PASS');
    expect(lineText(utf8('PASS\0'), { showControls: true })).toBe('PASS\\x00');
    expect(lineText(utf8('PASS\0'), { sent: true })).toBe('PASS\\x00');
  });

  it('leaves the colours to who draws them', () => {
    expect(lineText(utf8('\x1b[0;31mE\x1b[0m\x1b[K\x1b[38:2::1:2:3m'))).toBe('\x1b[0;31mE\x1b[0m\x1b[38:2::1:2:3m');
    expect(lineText(utf8('\x1b[32mab\x08\x1b[31mc\x1b[0m d'))).toBe('\x1b[32ma\x1b[0m\x1b[32m\x1b[31mc\x1b[0m d');
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
    ['downloading\rdone', 'doneloading'],
    ['10 %\r\r', '10 %'],
    ['\rprompt', 'prompt'],
    ['\r', ''],
    ['', ''],
    ['two\r\nlines sent at once', 'two\\r\\nlines sent at once'],
    ['gone\ra\r\nb', 'a\\r\\nb'],
    ['two\n\rlines sent at once', 'two\\n\\rlines sent at once'],
    ['esp> he\x1b[0K\r\x1b[7C', 'esp> he'],
    ['10 %\r\x1b[K20 %\x1b[K', '20 %'],
    ['\x1b[32m10 %\r\x1b[0m', '\x1b[32m10 %\x1b[0m'],
    ['\x1b[32m10 %\r\x1b[0m9', '9\x1b[32m0 %\x1b[0m'],
    ['gone\r\x1b[K', ''],
    ['one\ttwo\rX', 'Xne     two'],
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

/** Control functions that a terminal obeys, and the remaining text of the line. */
const obeyed = [
  ['a link', 'see \x1b]8;;https://example.com\x1b\\the docs\x1b]8;;\x1b\\.', 'see the docs.'],
  ['a title', '\x1b]0;COM3 - idle\x07ready', 'ready'],
  ['an icon name and a title', '\x1b]1;a\x07\x1b]2;b\x1b\\ready', 'ready'],
  ['a clipboard', 'a\x1b]52;c;aGVsbG8=\x07b', 'ab'],
  [
    'device control, application, privacy and start of string',
    '\x1bP1$r0m\x1b\\a\x1b_G\x1b\\b\x1b^p\x1b\\c\x1bXs\x1b\\d',
    'abcd',
  ],
  ['a string that never ends', 'a\x1b]0;title', 'a'],
  ['a string that another escape cuts off', 'a\x1b]0;ti\x1b[1mb', 'ab'],
  ['a string that is cancelled', 'a\x1b]0;ti\x18b', 'ab'],
  ['a sequence that never ends', 'a\x1b[31', 'a'],
  ['an escape at the end', 'a\x1b', 'a'],
  ['an escape that starts over', 'a\x1b\x1b[1mb', 'ab'],
  ['erasing to the end', 'done\x1b[K', 'done'],
  ['erasing the screen', '\x1b[2J\x1b[Hmenu', 'menu'],
  ['erasing what is written again', '10 %\x1b[2K\x1b[1G9 %', '9 %'],
  ['erasing what nothing replaces', 'bye\x1b[2J', 'bye'],
  ['moving up and to a place', 'a\x1b[3Ab\x1b[10;20Hc', 'abc'],
  ['moving forward', 'a\x1b[3Cb', 'a   b'],
  [
    'moving back and erasing a prompt',
    'uart:~$ \x1b[8D\x1b[J[00:00:01.250,000] <inf> app: up',
    '[00:00:01.250,000] <inf> app: up',
  ],
  ['deleting and inserting', 'abcd\x1b[3D\x1b[P\x1b[@x', 'axcd'],
  ['a mode and a character set', '\x1b[?25l\x1b(Ba\x1b=\x1b7', 'a'],
  ['backspaces that erase', 'helo\x08 \x08lo', 'hello'],
  ['a spinner', 'wait /\x08-\x08\\\x08|', 'wait |'],
  ['a backspace at the start', '\x08a', 'a'],
  ['a backspace over a character of several bytes', '5 °\x08%', '5 %'],
  ['a bell', 'ding\x07!', 'ding!'],
] as const;

describe('control functions', () => {
  it.each(obeyed)('are obeyed and not shown: %s', (_what, received, seen) => {
    expect(withoutColours(lineText(utf8(received)))).toBe(seen);
    expect(logText(utf8(received))).toBe(seen);
  });

  it.each(obeyed)('are shown when control bytes are, to the last byte: %s', (_what, received) => {
    const written = lineText(utf8(received), { showControls: true });
    expect(written.replaceAll('\\x', '\\u00')).toBe(
      received.replaceAll(
        /[^\P{Cc}\t]/gu,
        (character) => `\\u00${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      ),
    );
  });

  it('are written out where they were sent', () => {
    expect(lineText(utf8('\x1b[A\x07\r'), { sent: true })).toBe('\\x1b[A\\x07');
    expect(sentText(utf8('\x1b[A\x07\r'))).toBe('\\x1b[A\\x07\\r');
  });

  it('never lose or invent a character that no terminal would, whatever surrounds it', () => {
    const harmless = fc.constantFrom(
      '\x07',
      '\x1b[K',
      '\x1b[0;31m',
      '\x1b]0;t\x07',
      '\x1b]8;;u\x1b\\',
      '\x1bPq\x1b\\',
      '\x1b[?25h',
      '\x1b(B',
    );
    const parts = fc.array(fc.oneof(fc.constantFrom('a', ' ', 'é', '€', '\t'), harmless), { maxLength: 30 });
    fc.assert(
      fc.property(parts, (all) => {
        const seen = all.filter((part) => !/[^\P{Cc}\t]/u.test(part)).join('');
        expect(withoutColours(lineText(utf8(all.join(''))))).toBe(seen);
        expect(logText(utf8(all.join('')))).toBe(seen);
      }),
    );
  });

  it('take a bounded time and room, however large their parameters are', () => {
    const hostile = '\x1b[999999999C\x1b[999999999@\x08'.repeat(2_000);
    expect(logText(utf8(`${hostile}x`)).length).toBeLessThan(10_000);
  });
});

describe('log text', () => {
  it('is what was written last, without the colours', () => {
    expect(logText(utf8('\x1b[32m10 %\r20 %\x1b[0m\x07'))).toBe('20 %');
  });

  it('begins and ends without a return', () => {
    expect(logText(utf8('\r\rready\r'))).toBe('ready');
  });
});
