import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexSpan, markedRuns, type Span } from './marked-runs.ts';
import { attributes, type StyleRun } from './styled-text.ts';

const length = 40;
/** Sorted spans that may touch. */
const spans: fc.Arbitrary<Span[]> = fc
  .uniqueArray(fc.nat({ max: length }), { maxLength: 12 })
  .map((places) => places.sort((a, b) => a - b))
  .map((places) => places.slice(1).map((end, index) => ({ start: places[index] ?? 0, end })))
  .chain((all) => fc.subarray(all));
const runs: fc.Arbitrary<StyleRun[]> = spans.map((all) =>
  all.map((span, index) => ({ ...span, style: 1 + (index % 7) })),
);

const styleAt = (all: readonly StyleRun[], place: number) =>
  all.find(({ start, end }) => start <= place && place < end)?.style ?? 0;

describe('marked runs', () => {
  it('have each character in its colour, and marked where it was found', () => {
    fc.assert(
      fc.property(runs, spans, (styled, found) => {
        const marked = markedRuns(styled, found);
        for (let place = 0; place < length; place++) {
          const hit = found.some(({ start, end }) => start <= place && place < end);
          expect(styleAt(marked, place)).toBe(styleAt(styled, place) | (hit ? attributes.found : 0));
        }
      }),
    );
  });

  it('are in order and do not overlap', () => {
    fc.assert(
      fc.property(runs, spans, (styled, found) => {
        const marked = markedRuns(styled, found);
        for (const [index, { start, end }] of marked.entries()) {
          expect(end).toBeGreaterThan(start);
          expect(start).toBeGreaterThanOrEqual(marked[index - 1]?.end ?? 0);
        }
      }),
    );
  });
});

describe('bytes of a hex row', () => {
  it('stand where their digits are', () => {
    const text = '64 65 6D 6F 3E 20 75 74  66 38 20 30 31 32 33 0A';
    const digits = (start: number, end: number) => {
      const span = hexSpan({ start, end });
      return text.slice(span.start, span.end);
    };
    expect(digits(0, 1)).toBe('64');
    expect(digits(6, 10)).toBe('75 74  66 38');
    expect(digits(8, 9)).toBe('66');
    expect(digits(15, 16)).toBe('0A');
  });
});
