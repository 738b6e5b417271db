import { random } from '@wirebench/test-input';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BytePattern } from '../byte-pattern.ts';
import { letters } from '../testing/letters.ts';
import { utf8 } from '../testing/line-channels.ts';
import { spelledBytes } from '../text-pattern.ts';
import { NeedleFinder } from './needle-finder.ts';

interface Wanted {
  readonly text: string;
  readonly ignoreCase: boolean;
}

const patternsOf = (needles: readonly Wanted[]) =>
  needles.map(({ text, ignoreCase }) => new BytePattern(spelledBytes(text, ignoreCase)));

function places(needles: readonly Wanted[], text: string): string[] {
  const found: string[] = [];
  const bytes = utf8(text);
  const finder = NeedleFinder.of(patternsOf(needles));
  finder?.scan(bytes, 0, bytes.length, (needle, end) => found.push(`${needle} ${end}`));
  return found.sort();
}

const inAnyCase = (...texts: string[]) => texts.map((text) => ({ text, ignoreCase: true }));

it('finds needles inside each other, in any case of letters', () => {
  expect(places(inAnyCase('he', 'she', 'hers', 'his'), 'uSHErs')).toEqual(['0 4', '1 4', '2 6']);
  expect(places(inAnyCase('ошибка', 'шиб'), 'ОШИБКА')).toEqual(['0 12', '1 8']);
});

it('tells the case of letters apart in the needles that do', () => {
  const needles = [...inAnyCase('ÉA'), { text: 'éa', ignoreCase: false }, { text: 'A', ignoreCase: false }];
  expect(places(needles, 'éa ÉA')).toEqual(['0 3', '0 7', '1 3', '2 7']);
});

it('finds nothing outside of the bytes that it is given', () => {
  const found: string[] = [];
  const bytes = utf8('abcabc');
  const finder = NeedleFinder.of(patternsOf(inAnyCase('a', 'ab', 'bc', 'c')));
  finder?.scan(bytes, 1, 4, (needle, end) => found.push(`${needle} ${end}`));
  expect(found.sort()).toEqual(['0 4', '2 3', '3 3']);
});

it('finds each needle wherever a search for it alone does', () => {
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: word, ignoreCase: fc.boolean() }), { maxLength: 8 }),
      fc.string({ unit: letters, maxLength: 40 }),
      (needles, text) => {
        const bytes = utf8(text);
        const expected = patternsOf(needles).flatMap((pattern, index) => {
          const ends: string[] = [];
          for (let at = pattern.indexIn(bytes); at !== -1; at = pattern.indexIn(bytes, at + 1)) {
            ends.push(`${index} ${pattern.matchEnd}`);
          }
          return ends;
        });
        expect(places(needles, text)).toEqual(expected.sort());
      },
    ),
    { numRuns: 300 },
  );
});

it('is not made of long needles that repeat one letter, which would take too long', () => {
  const alike = Array.from({ length: 50 }, (_, index) => 'a'.repeat(200 - index));
  expect(NeedleFinder.of(patternsOf(inAnyCase(...alike)))).toBeNull();
});

it('is made of as many long needles as a panel can have', () => {
  const { below } = random('needles');
  const letter = () => String.fromCodePoint(0x430 + below(32));
  const needles = Array.from({ length: 50 }, () => Array.from({ length: 256 }, letter).join(''));
  expect(NeedleFinder.of(patternsOf(inAnyCase(...needles)))).not.toBeNull();
});
