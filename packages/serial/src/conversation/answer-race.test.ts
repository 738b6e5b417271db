import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, latin1, utf8 } from '../testing/line-channels.ts';
import { type AnswerPattern, AnswerRace, type RaceResult } from './answer-race.ts';

const text = (words: string): AnswerPattern => ({ kind: 'bytes', bytes: utf8(words) });
const expression = (source: string): AnswerPattern => ({ kind: 'expression', source, flags: '' });

function race(patterns: readonly AnswerPattern[], pieces: readonly Uint8Array[]): RaceResult | null {
  const race = new AnswerRace(patterns);
  for (const piece of pieces) {
    const result = race.take(piece);
    if (result !== null) {
      return result;
    }
  }
  return race.pause();
}

const stream = fc.string({ unit: fc.constantFrom('a', 'b', '1', '2', ';', '\n'), maxLength: 30 });
const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 8 });
const pattern = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '1', ';'), minLength: 1, maxLength: 3 }).map(text),
  fc.constantFrom('(\\d+);', '^a+', 'b(a|1)b', '[^]*;', '(a)|(b)', 'a$', '\\d+').map(expression),
);
const patterns = fc.array(pattern, { minLength: 1, maxLength: 4 });

describe('answers side by side', () => {
  it('have the same result however the bytes are cut', () => {
    fc.assert(
      fc.property(patterns, stream, cuts, (given, words, at) => {
        const bytes = utf8(words);
        expect(race(given, cutAt(bytes, at))).toEqual(race(given, cutAt(bytes, [...bytes.keys()])));
      }),
      { numRuns: 3_000 },
    );
  });

  it('are won by the text that is complete first, the first of the list among equals', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', '1', ';'), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), stream, cuts, (given, all, at) => {
        const ends = given.map((word) => (all.includes(word) ? all.indexOf(word) + word.length : Infinity));
        const first = Math.min(...ends);
        const result = race(given.map(text), cutAt(utf8(all), at));
        expect(result && [result.answer, result.end]).toEqual(first === Infinity ? null : [ends.indexOf(first), first]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('give the groups and names of the expression that won', () => {
    const result = race([text('ERROR'), expression('(?<rssi>-?\\d+) dBm')], [utf8('+CSQ: -6'), utf8('7 dBm')]);
    expect(result).toMatchObject({ answer: 1, start: 6, end: 13 });
    expect(result?.names[1]).toBe('rssi');
    expect(result?.groups[1]).toEqual({ start: 6, end: 9 });
    expect(latin1(utf8('+CSQ: -67 dBm')).slice(6, 9)).toBe('-67');
  });

  it('without bytes or with an expression that cannot be used are refused', () => {
    expect(() => new AnswerRace([text('')])).toThrow(RangeError);
    expect(() => new AnswerRace([expression('(a)\\1')])).toThrow('Backreferences');
  });
});
