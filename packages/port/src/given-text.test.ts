import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodingOf, fileText, givenText, intactText } from './given-text.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Encodes text as UTF-16. */
function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  }
  return new Uint8Array(view.buffer);
}

const withMark = (mark: readonly number[], bytes: Uint8Array) => Uint8Array.from([...mark, ...bytes]);

/** A text in each encoding. UTF-16 without a mark is recognised in mostly ASCII text. */
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': utf8,
  'UTF-8 with a mark': (text) => utf8(`\ufeff${text}`),
  'UTF-16 with a mark': (text) => utf16(`\ufeff${text}`, true),
  'UTF-16 BE with a mark': (text) => utf16(`\ufeff${text}`, false),
};
const unmarked: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-16 without a mark': (text) => utf16(text, true),
  'UTF-16 BE without a mark': (text) => utf16(text, false),
};

describe('encoding of a text', () => {
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
});

describe('given text', () => {
  const word = fc.string({ unit: fc.constantFrom(...'aZ09 ,"{}\\ß°Ω温度🙂\n\t'), maxLength: 40 });

  it.each(Object.entries(encodings))('is the same in %s', (_name, encode) => {
    fc.assert(
      fc.property(fc.dictionary(word, word, { maxKeys: 5 }), (json) => {
        const text = JSON.stringify(json);
        const bytes = encode(text);
        expect([givenText(bytes), intactText(bytes), fileText(bytes)]).toEqual([text, text, text]);
      }),
    );
  });

  it.each(Object.entries(unmarked))('is the same in %s if it is ASCII', (_name, encode) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ09 ,"{}\n\t'), minLength: 2 }), (text) => {
        const bytes = encode(text);
        expect([givenText(bytes), intactText(bytes), fileText(bytes)]).toEqual([text, text, text]);
      }),
    );
  });

  it('is a text for any bytes, and is intact only if it gives them back', () => {
    const start = fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]);
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (mark, rest) => {
        const bytes = withMark(mark, rest);
        const { encoding, mark: length } = encodingOf(bytes);
        const intact = intactText(bytes);
        expect(typeof givenText(bytes)).toBe('string');
        if (intact !== null && length === mark.length && !intact.startsWith('\ufeff')) {
          const encode = encoding === 'utf-16le' || encoding === 'utf-16be' ? utf16 : utf8;
          expect(encode(intact, encoding === 'utf-16le')).toEqual(bytes.subarray(length));
        }
      }),
    );
  });

  it('is null for a binary file, and for a damaged one where damage counts', () => {
    const binary = Uint8Array.from([0x7e, 0, 1, 2, 3, 4, 0x7e, 0, 0, 9]);
    const latin1 = Uint8Array.from([...utf8('temperature 20 '), 0xb0, 0x43]);
    expect(fileText(binary)).toBeNull();
    expect([fileText(latin1), intactText(latin1)]).toEqual(['temperature 20 \ufffdC', null]);
    expect(intactText(utf16('\ufeffready', true).subarray(0, 9))).toBeNull();
    expect(fileText(new Uint8Array())).toBe('');
  });
});
