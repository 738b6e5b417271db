import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BytePattern } from './byte-pattern.ts';
import { latin1 } from './testing/line-channels.ts';

const few = (maxLength: number, minLength = 0) =>
  fc
    .array(fc.constantFrom(0x00, 0x41, 0x61, 0x62, 0x5b, 0x7b, 0xff), { minLength, maxLength })
    .map((bytes) => Uint8Array.from(bytes));

describe('byte pattern', () => {
  it('is found where a plain search finds it', () => {
    fc.assert(
      fc.property(few(60), few(5, 1), fc.nat({ max: 10 }), (haystack, pattern, from) => {
        const expected = latin1(haystack).indexOf(latin1(pattern), from);
        fc.pre(from <= haystack.length);
        expect(new BytePattern(pattern, false).indexIn(haystack, from)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it('ignores the case of the letters of ASCII, and of nothing else', () => {
    fc.assert(
      fc.property(few(60), few(5, 1), (haystack, pattern) => {
        const fold = (bytes: Uint8Array) => latin1(bytes).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        expect(new BytePattern(pattern, true).indexIn(haystack)).toBe(fold(haystack).indexOf(fold(pattern)));
      }),
      { numRuns: 1_000 },
    );
  });
});
