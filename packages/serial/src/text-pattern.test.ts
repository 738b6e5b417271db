import { isLong, random } from '@wirebench/test-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentedForm, everyCharacter, letters, planeOf } from './testing/letters.ts';
import { exactPattern, spansIn, spelledBytes, textPattern } from './text-pattern.ts';

const cased = everyCharacter.match(/\p{Changes_When_Casemapped}/gu) ?? [];
const decoder = new TextDecoder();

const spellingsOf = (text: string, ignoreCase: boolean) =>
  spelledBytes(text, ignoreCase).map((part) => part.map((spelling) => decoder.decode(spelling)));

const charactersFound = (letter: string) => {
  const pattern = textPattern(letter, true);
  const spans = pattern === null ? [] : spansIn(everyCharacter, [pattern], Number.POSITIVE_INFINITY);
  return spans.map(({ start, end }) => everyCharacter.slice(start, end));
};

const places = (text: string, wanted: string, ignoreCase = true) => {
  const pattern = textPattern(wanted, ignoreCase);
  return pattern === null ? null : spansIn(text, [pattern], 100).map(({ start, end }) => [start, end]);
};

describe('spellings', () => {
  it('have every letter that the flags iu take for the same', () => {
    const { below } = random('letters');
    const tried = isLong ? cased : Array.from({ length: 200 }, () => cased[below(cased.length)] ?? '');
    for (const letter of [...tried, ...'kKsSßẞıİµμΩåςꭰᏰაᲐ𐐀և\u0345']) {
      const forms = [letter, letter.normalize('NFC'), letter.normalize('NFD')];
      const same = everyCharacter.match(new RegExp(letter, 'giu')) ?? [];
      const found = charactersFound(letter);
      expect(found, letter).toEqual(expect.arrayContaining(same));
      expect(found.join(''), letter).toMatch(new RegExp(`^(?:${forms.join('|')})+$`, 'iu'));
    }
  });

  it('have characters without another case in one form', () => {
    const folded = /(?!\p{Changes_When_Casemapped})\p{Changes_When_Casefolded}/gu;
    expect(everyCharacter.match(folded)).toBeNull();
    for (let plane = 2; plane <= 16; plane++) {
      expect(planeOf(plane).match(/\p{Changes_When_Casefolded}|\p{Changes_When_Casemapped}/u)).toBeNull();
    }
    expect(spellingsOf('a1 日\ud83d\ude00', false)).toEqual([['a'], ['1'], [' '], ['日'], ['😀']]);
    expect(spellingsOf('1日', true)).toEqual([['1'], ['日']]);
    expect(spellingsOf('\ud800', true)).toEqual([['\ufffd']]);
    expect(spellingsOf('', true)).toEqual([]);
  });

  it.each([
    ['é', 'e\u0301'],
    ['ệ', 'e\u0323\u0302'],
    ['й', 'и\u0306'],
    ['한', '\u1112\u1161\u11ab'],
  ])('take %s and its parts for the same, with and without case', (one, other) => {
    for (const ignoreCase of [false, true]) {
      expect(spellingsOf(one, ignoreCase)).toEqual([expect.arrayContaining([one, other])]);
      expect(spellingsOf(other, ignoreCase)).toEqual([expect.arrayContaining([one, other])]);
    }
  });

  it('keep the typed form, and have both cases of each form', () => {
    expect(spellingsOf('e\u0301', true)).toEqual([expect.arrayContaining(['é', 'É', 'e\u0301', 'E\u0301'])]);
    expect(spellingsOf('e\u0301', false)).toEqual([['e\u0301', 'é']]);
    expect(spellingsOf('\u212b', false)).toEqual([['\u212b', 'å'.toUpperCase(), 'A\u030a']]);
  });

  it('never begin or end with another one of their part', () => {
    const accents = everyCharacter.match(/\p{M}/gu) ?? [];
    const { below } = random('accents');
    const pairs = cased.map((letter) => letter + (accents[below(accents.length)] ?? ''));
    const composed = [...everyCharacter].filter((character) => character.normalize('NFD') !== character);
    for (const text of [...cased, ...composed, ...pairs]) {
      for (const spellings of spellingsOf(text, true)) {
        const longer = (one: string) => spellings.filter((other) => other.length > one.length);
        const hasNeighbour = (one: string) => longer(one).some((other) => other.startsWith(one) || other.endsWith(one));
        expect(spellings.filter(hasNeighbour)).toEqual([]);
      }
    }
  });

  it('stay few for a letter with hundreds of accents', () => {
    const parts = spellingsOf(`α${'\u0345'.repeat(200)}${'\u0301'.repeat(200)}`, true);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(200);
  });
});

describe('spans in text', () => {
  it('are where an expression matches whose accents are composed or divided', () => {
    const text = (least: number, most: number) => fc.string({ unit: letters, minLength: least, maxLength: most });
    fc.assert(
      fc.property(text(1, 4), text(0, 30), fc.boolean(), (wanted, shown, ignoreCase) => {
        const form = accentedForm(wanted, ignoreCase ? 'iuy' : 'uy');
        const expected: number[][] = [];
        let start = 0;
        for (const character of shown) {
          form.lastIndex = start;
          if (form.test(shown)) {
            expected.push([start, form.lastIndex]);
          }
          start += character.length;
        }
        expect(places(shown, wanted, ignoreCase)).toEqual(expected);
      }),
      { numRuns: isLong ? 50_000 : 1_000 },
    );
  });

  it('overlap, and are at most as many as are wanted', () => {
    expect(places('aaaa', 'aa')).toEqual([
      [0, 2],
      [1, 3],
      [2, 4],
    ]);
    const pattern = textPattern('a', false);
    expect(pattern && spansIn('aaaa', [pattern], 2)).toHaveLength(2);
  });

  it('count UTF-16 units behind characters of any length', () => {
    expect(places('😀日é\ud800Ошибка', 'ОШИБКА')).toEqual([[5, 11]]);
    expect(places('a.b (c) -[ \\^$|', '.b (c) -[ \\^$|')).toEqual([[1, 15]]);
  });

  it('are taken for a pasted text of any length', () => {
    const long = 'ksé ошибка '.repeat(10_000);
    expect(places(`x${long.toUpperCase()}`, long)).toEqual([[1, 1 + long.length]]);
  });

  it('need a text, or bytes', () => {
    expect([textPattern('', true), exactPattern(new Uint8Array())]).toEqual([null, null]);
  });
});
