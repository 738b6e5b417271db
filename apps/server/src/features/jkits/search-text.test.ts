import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, namePartsOf, needlesOf, searchText } from './search-text.ts';

const finds = (query: string, ...fields: readonly string[]) => {
  const text = searchText(fields);
  return needlesOf(query).every((needle) => text.includes(needle));
};

describe('search text', () => {
  it.each([
    ['the whole word', 'modem', true],
    ['its beginning', 'mod', true],
    ['its middle', 'ode', true],
    ['another case', 'MODEM', true],
    ['two letters that begin a word', 'mo', true],
    ['two letters inside of a word', 'od', false],
    ['one letter that begins a word', 'm', true],
    ['one letter inside of a word', 'o', false],
    ['a word of a command', 'cmgf', true],
    ['two letters that begin a word of a command', 'cm', true],
    ['a command as it is typed', 'at+cmgf=1', true],
    ['the punctuation of a command', '+c', false],
    ['its middle with punctuation', '+cmgf', true],
    ['two words in any order', 'modem sim7600', true],
    ['a part of one and the beginning of another', '760 mo', true],
    ['one word that is there and one that is not', 'modem gps', false],
    ['letters of two words across the space', 'm at', true],
    ['letters of two words without the space', 'emat', false],
    ['a wildcard of SQL', '%', false],
    ['another', 'mo_em', false],
    ['a backslash', '\\', false],
    ['white space around', '  modem\t', true],
  ])('is found by %s: %j', (_case, query, found) => {
    expect(finds(query, 'SIM7600 Modem', 'AT+CMGF=1')).toBe(found);
  });

  it('finds nothing for a query without a word', () => {
    expect(needlesOf(' \t ')).toEqual([]);
  });

  it('never asks for fewer than three characters, which no trigram could find', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (query) => {
        expect(needlesOf(query).every((needle) => [...needle].length >= 3)).toBe(true);
      }),
    );
  });

  it('is found by any three characters in a row of a word, in any case', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abzÄßΣσς9+-#%_\\"\'Я字é'), minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(), (words, which, from) => {
        const chosen = [...fold(words[which % words.length] ?? '')];
        const start = from % Math.max(1, chosen.length - 2);
        const part = chosen.slice(start, start + 3).join('');
        for (const query of [part, part.toUpperCase(), part.toLowerCase()]) {
          expect(finds(query, ...words)).toBe(true);
        }
      }),
    );
  });
});

describe('folding', () => {
  it('makes one of all cases of any character', () => {
    // No character above this range has another case.
    for (let code = 1; code < 0x2_0000; code++) {
      const character = String.fromCodePoint(code);
      if (character.isWellFormed()) {
        const folded = fold(character);
        if (fold(character.toUpperCase()) !== folded || fold(character.toLowerCase()) !== folded) {
          expect.fail(`U+${code.toString(16)} is not the same in another case`);
        }
      }
    }
  });

  it('is done once: folding again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});

describe('parts of a name', () => {
  it('begin where its words do', () => {
    expect(namePartsOf('My SIM7600 (AT+CMGF) modem')).toEqual([
      'my sim7600 (at+cmgf) modem',
      'sim7600 (at+cmgf) modem',
      'at+cmgf) modem',
      'cmgf) modem',
      'modem',
      '(at+cmgf) modem',
    ]);
  });

  it('are each once, and the name is one of them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (name) => {
        const parts = namePartsOf(name);
        expect(new Set(parts).size).toBe(parts.length);
        expect(parts).toContain(fold(name));
      }),
    );
  });
});
