import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastTop, scrollTopAt, spacerHeight, tallestSpacer, topAt } from './scroll-map.ts';

const extents = fc.record({
  total: fc.integer({ min: 0, max: 20_000_000 }),
  rowHeight: fc.constantFrom(18, 20, 25),
  viewport: fc.integer({ min: 40, max: 2_000 }),
});

describe('scroll map', () => {
  it('is one to one as long as the rows fit an element', () => {
    const extent = { total: 1_000_000, rowHeight: 25, viewport: 600 };
    expect(spacerHeight(extent)).toBe(25_000_000);
    expect(topAt(12_345, extent)).toBe(12_345);
    expect(scrollTopAt(12_345, extent)).toBe(12_345);
  });

  it('stands for the rows in proportion when they are taller than any element', () => {
    const extent = { total: 4_000_000, rowHeight: 25, viewport: 600 };
    expect(spacerHeight(extent)).toBe(tallestSpacer);
    expect(topAt((tallestSpacer - 600) / 2, extent)).toBeCloseTo(lastTop(extent) / 2, 3);
  });

  it('is a whole number of px also where rows are not', () => {
    expect(spacerHeight({ total: 901, rowHeight: 53.5, viewport: 474 })).toBe(48_204);
  });

  it('reaches the first and the last row from the ends of the bar, however many rows there are', () => {
    fc.assert(
      fc.property(extents, (extent) => {
        const end = Math.max(0, spacerHeight(extent) - extent.viewport);
        expect(topAt(0, extent)).toBe(0);
        expect(topAt(end, extent)).toBeCloseTo(lastTop(extent), 3);
      }),
    );
  });

  it('finds the same place again on the way back', () => {
    fc.assert(
      fc.property(extents, fc.double({ min: 0, max: 1, noNaN: true }), (extent, part) => {
        const top = lastTop(extent) * part;
        expect(topAt(scrollTopAt(top, extent), extent)).toBeCloseTo(top, 3);
      }),
    );
  });

  it('keeps a bar that was pulled past its end within the rows', () => {
    const extent = { total: 100, rowHeight: 25, viewport: 600 };
    expect(topAt(99_999, extent)).toBe(1_900);
    expect(topAt(-50, extent)).toBe(0);
    expect(topAt(50, { ...extent, total: 3 })).toBe(0);
  });
});
