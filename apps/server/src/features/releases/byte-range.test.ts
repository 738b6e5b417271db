import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesTag, parseRange } from './byte-range.ts';

describe('range', () => {
  it.each<[string | undefined, ReturnType<typeof parseRange>]>([
    [undefined, null],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['Bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=20-10', null],
    ['bytes=-', null],
    ['bytes=0-1,4-5', null],
    ['bytes 0-1', null],
    ['lines=0-1', null],
    ['bytes=a-b', null],
    ['bytes=1.5-2', null],
    ['bytes=0x0-0x1', null],
  ])('%s of 100 bytes', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range);
  });

  it('is unsatisfiable for an empty file', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });

  it('always lies inside of the file, whatever the header says', () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => `bytes=${from}-${to}`),
      fc.stringMatching(/^bytes=\d{0,20}-\d{0,20}$/),
    );
    fc.assert(
      fc.property(header, fc.nat(5_000), (text, size) => {
        const range = parseRange(text, size);
        if (range !== null && range !== 'unsatisfiable') {
          expect(range.start).toBeGreaterThanOrEqual(0);
          expect(range.start).toBeLessThanOrEqual(range.end);
          expect(range.end).toBeLessThan(size);
        }
      }),
    );
  });

  it('gives the same bytes as slicing', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.integer({ min: 1, max: 300 }), (from, length, size) => {
        const file = Uint8Array.from({ length: size }, (_, index) => index % 256);
        const range = parseRange(`bytes=${from}-${from + length}`, size);
        const part = range === null || range === 'unsatisfiable' ? [] : file.slice(range.start, range.end + 1);
        expect([...part]).toEqual([...file.slice(from, from + length + 1)]);
      }),
    );
  });
});

describe('entity tag', () => {
  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", W/"abc" , "y"', true],
    ['*', true],
    ['abc', false],
    ['"abcd"', false],
    ['w/"abc"', false],
  ])('is compared with the header %s', (header, matches) => {
    expect(matchesTag(header, '"abc"')).toBe(matches);
  });
});
