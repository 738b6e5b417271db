import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HintFinder } from './hint-finder.ts';

const patterns = [
  'Guru Meditation',
  'rst:0x',
  'Fault|FAULT|ard ?fault',
  'ERROR \\d+ \\[',
  '[Rr]0(?:/a1)? *[=:]',
  '\\b[Pp][Cc] *[=:]',
  'Traceback \\(most recent',
  'go+al',
  '发生断言',
];
const finder = new HintFinder(patterns);
const expression = new RegExp(patterns.join('|').replace(/ (?![?*+{])/g, '[ \\t]+'));
const encoder = new TextEncoder();
const mayMatch = (text: string) => finder.mayMatch(encoder.encode(text));

describe('hint finder', () => {
  it.each([
    'Guru  Meditation',
    'Guru\tMeditation',
    'a hardfault here',
    'ERROR 12 [app.c',
    'R0=1',
    'pC :',
    'Traceback (most recent call',
    'gooal',
    '在 发生断言',
  ])('finds a match in %j', (text) => {
    expect(expression.test(text)).toBe(true);
    expect(mayMatch(text)).toBe(true);
  });

  it.each(['', 'GuruMeditation', 'rst:0', 'ERROR', 'r 0', 'Trace (most recent', 'gal', '发生', 'I (12) wifi: up'])(
    'rejects %j',
    (text) => {
      expect(expression.test(text)).toBe(false);
      expect(mayMatch(text)).toBe(false);
    },
  );

  it('rejects no text in which a pattern matches', () => {
    const piece = fc.oneof(
      fc.constantFrom('Guru', ' ', '\t', 'Meditation', 'rst:', '0x', 'FAUL', 'T', 'ard', 'fault', 'ERROR', '7', '['),
      fc.constantFrom('R', '0', '/a1', '=', ':', 'p', 'C', 'Traceback', '(', 'most', 'recent', 'g', 'oo', 'al', '发生'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(mayMatch(text) || !expression.test(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds a text that begins within another one', () => {
    expect(new HintFinder(['ababc', 'bac']).mayMatch(encoder.encode('abababac'))).toBe(true);
    expect(new HintFinder(['abcd', 'bc']).mayMatch(encoder.encode('abce'))).toBe(true);
  });

  it('refuses patterns that are in any line', () => {
    for (const pattern of ['\\d+', 'a?b*', 'x', 'abc|[0-9]+', '(((abc)))?']) {
      expect(() => new HintFinder([pattern])).toThrow(RangeError);
    }
  });
});
