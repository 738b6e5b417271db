import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWords } from './value-reader.ts';

const encoder = new TextEncoder();
const words = ['nan', 'na', 'n/a', 'inf', '°C', '°', 'K', 'kB'];

describe('words in bytes', () => {
  it.each([false, true])('are those that the text is equal to; case ignored: %s', (ignoreCase) => {
    const wanted = words.map((word) => (ignoreCase ? word.toLowerCase() : word));
    const known = new ByteWords(wanted, ignoreCase);
    const letters = fc.array(fc.constantFrom('n', 'a', 'N', 'i', 'f', '/', '°', 'C', 'c', 'K', 'k', 'B'), {
      maxLength: 4,
    });
    const texts = fc.oneof(
      fc.constantFrom(...words),
      letters.map((some) => some.join('')),
    );
    fc.assert(
      fc.property(texts, fc.nat({ max: 3 }), (text, before) => {
        const bytes = encoder.encode(`${'n'.repeat(before)}${text}nan`);
        // Letters beyond ASCII have no other case here.
        const expected = wanted.includes(ignoreCase ? text.toLowerCase() : text);
        expect(known.has(bytes, before, bytes.length - 3)).toBe(expected);
        expect(!expected || known.mayBegin(bytes[before] ?? 0)).toBe(true);
      }),
    );
  });
});
