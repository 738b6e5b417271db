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

  it('are found with the NUL that ends the string of a board', () => {
    const stream = utf8('temp\r\n\0\0PA\0SS 2\x001\0\r\n');
    const expected = { answer: 0, start: 8, end: 13 };
    for (const pieces of [[stream], cutAt(stream, [...stream.keys()])]) {
      expect(race([text('PASS')], pieces)).toMatchObject(expected);
      expect(race([expression('^PASS')], pieces)).toMatchObject(expected);
      expect(race([expression('^PASS (\\d+)$')], pieces)).toMatchObject({ start: 8, end: 18 });
      expect(race([text('PASS 21\r\n')], pieces)).toMatchObject({ start: 8, end: 20 });
      expect(race([{ kind: 'prompt', prompt: 'PASS 21' }], pieces)).toMatchObject({ start: 0 });
    }
  });

  it('take a NUL for a byte if it is asked for, or if the answer is in hex', () => {
    const stream = [utf8('PA\0SS\0')];
    expect(race([{ kind: 'bytes', bytes: utf8('PASS'), isHex: true }], stream)).toBe(null);
    expect(race([{ kind: 'bytes', bytes: utf8('A\0S'), isHex: true }], stream)).toMatchObject({ start: 1, end: 4 });
    expect(race([text('A\0S')], stream)).toMatchObject({ start: 1, end: 4 });
    expect(race([expression('PASS|S\\0')], stream)).toMatchObject({ start: 4, end: 6 });
    expect(race([expression('PASS|S\\x00')], stream)).toMatchObject({ start: 4, end: 6 });
    expect(race([expression('PASS|\\\\0')], stream)).toMatchObject({ start: 0, end: 5 });
  });

  it('without bytes or with an expression that cannot be used are refused', () => {
    expect(() => new AnswerRace([text('')])).toThrow(RangeError);
    expect(() => new AnswerRace([expression('(a)\\1')])).toThrow('Backreferences');
  });
});
