import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineIndex } from './line-index.ts';

/** Lines of a chunk. */
const CHUNK = 8_192;

describe('line index', () => {
  it('has the facts of each line, however far apart lines are', () => {
    const gap = fc.oneof(fc.nat({ max: 200 }), fc.integer({ min: 1, max: 2 ** 33 }));
    fc.assert(
      fc.property(fc.array(gap, { minLength: 1, maxLength: 40 }), fc.nat({ max: 2 ** 45 }), (gaps, first) => {
        const index = new LineIndex();
        const lines: number[][] = [];
        let at = first;
        for (let line = 0; line < CHUNK + 50; line++) {
          at += gaps[line % gaps.length] ?? 0;
          // Times may go backwards in opened logs.
          const facts = [at, at + line, 1e12 - line * 0.25, at * 2, line % 251] as const;
          lines.push([...facts]);
          index.push(...facts);
        }
        const found = lines.map((_, line) => [
          index.startOf(line),
          index.sequenceOf(line),
          index.timeOf(line),
          index.get('hexRows', line),
          index.flagsOf(line),
        ]);
        expect(found).toEqual(lines);
        expect(index.lowerBound('starts', lines[CHUNK + 7]?.[0] ?? 0)).toBeLessThanOrEqual(CHUNK + 7);
      }),
      { numRuns: 5 },
    );
  });

  it('keeps the ordinals of its lines when older ones are dropped', () => {
    const index = new LineIndex();
    for (let line = 0; line < 3 * CHUNK; line++) {
      index.push(line * 10, line, line, line, 0);
    }
    index.dropBefore(CHUNK + 5);
    expect([index.oldest, index.first, index.end]).toEqual([CHUNK, CHUNK + 5, 3 * CHUNK]);
    expect([index.startOf(CHUNK + 5), index.startOf(3 * CHUNK - 1)]).toEqual([(CHUNK + 5) * 10, (3 * CHUNK - 1) * 10]);
    expect(index.startOf(5)).toBeNaN();
    index.push(3 * CHUNK * 10, 0, 0, 3 * CHUNK, 7);
    expect([index.startOf(3 * CHUNK), index.flagsOf(3 * CHUNK)]).toEqual([3 * CHUNK * 10, 7]);
  });
});
