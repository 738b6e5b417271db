import { isLong } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BytePattern } from './byte-pattern.ts';
import { accentedForm, letters } from './testing/letters.ts';
import { latin1, utf8 } from './testing/line-channels.ts';
import { spelledBytes } from './text-pattern.ts';

const few = (maxLength: number, minLength = 0) =>
  fc
    .array(fc.constantFrom(0x00, 0x41, 0x61, 0x62, 0x5b, 0x7b, 0xff), { minLength, maxLength })
    .map((bytes) => Uint8Array.from(bytes));

/** Returns the offsets of all matches. */
function placesOf(pattern: BytePattern, bytes: Uint8Array): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (let at = pattern.indexIn(bytes); at !== -1; at = pattern.indexIn(bytes, at + 1)) {
    places.push([at, pattern.matchEnd]);
  }
  return places;
}

describe('byte pattern', () => {
  it('is found where a plain search finds it', () => {
    fc.assert(
      fc.property(few(60), few(9, 1), fc.nat({ max: 10 }), (haystack, pattern, from) => {
        const expected = latin1(haystack).indexOf(latin1(pattern), from);
        fc.pre(from <= haystack.length);
        expect(new BytePattern([...pattern].map((byte) => [Uint8Array.of(byte)])).indexIn(haystack, from)).toBe(
          expected,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('ignores the case of the letters of ASCII, and of no other byte', () => {
    fc.assert(
      fc.property(few(60), few(9, 1), (haystack, pattern) => {
        const fold = (bytes: Uint8Array) => latin1(bytes).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        fc.pre(!pattern.includes(0xff));
        const found = new BytePattern(spelledBytes(latin1(pattern), true)).indexIn(haystack);
        expect(found).toBe(fold(haystack).indexOf(fold(pattern)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is found in UTF-8 where an expression matches the text', () => {
    const text = (least: number, most: number) => fc.string({ unit: letters, minLength: least, maxLength: most });
    fc.assert(
      fc.property(text(1, 7), text(0, 30), fc.boolean(), (needle, haystack, ignoreCase) => {
        const offset = (index: number) => utf8(haystack.slice(0, index)).length;
        const expected: number[][] = [];
        const form = accentedForm(needle, ignoreCase ? 'iuy' : 'uy');
        let start = 0;
        for (const character of haystack) {
          form.lastIndex = start;
          if (form.test(haystack)) {
            expected.push([offset(start), offset(form.lastIndex)]);
          }
          start += character.length;
        }
        expect(placesOf(new BytePattern(spelledBytes(needle, ignoreCase)), utf8(haystack))).toEqual(expected);
      }),
      { numRuns: isLong ? 50_000 : 1_000 },
    );
  });

  it('is found between bytes that are no UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 }), (before, after) => {
        const bytes = Uint8Array.of(...before, ...utf8('ÉLEVÉE'), ...after);
        expect(placesOf(new BytePattern(spelledBytes('élevée', true)), bytes)).toContainEqual([
          before.length,
          before.length + 8,
        ]);
      }),
    );
  });

  it('is not found from behind its start, whichever spelling it has', () => {
    const pattern = new BytePattern(spelledBytes('ks', true));
    const bytes = utf8('\u212as ks');
    expect([0, 1, 2, 3].map((from) => pattern.indexIn(bytes, from))).toEqual([0, 5, 5, 5]);
    expect(pattern.indexIn(bytes, 0, 3)).toBe(-1);
  });

  it('refuses to have no parts', () => {
    expect(() => new BytePattern([])).toThrow(RangeError);
  });
});
