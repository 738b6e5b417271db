import type { RowQuery } from '@wirebench/serial';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { MeasuredHeights } from './row-heights.ts';
import { RowWindow } from './row-window.ts';

const least = 20;
const viewport = 250;

interface TestRow {
  readonly sequence: number;
  readonly part: number;
  readonly text: string;
  readonly cut: boolean;
}

/** Pseudo-random height of one to seven text lines. */
const heightOf = (sequence: number) => least + 18 * ((sequence * 7_919) % 7);

describe('row window with wrapped rows', () => {
  let window: RowWindow<TestRow>;
  let heights: MeasuredHeights;
  let oldest: number;
  let next: number;

  const answer = ({ anchor, count }: RowQuery) => {
    const total = next - oldest;
    const at = (position: number) => Math.min(Math.max(0, position), total);
    const first =
      anchor === 'tail'
        ? at(total - count)
        : 'position' in anchor
          ? at(anchor.position)
          : at(Math.max(anchor.sequence, oldest) + anchor.offset - oldest);
    const rows = Array.from({ length: Math.min(count, total - first) }, (_, index) => ({
      sequence: oldest + first + index,
      part: 0,
      text: '',
      cut: false,
    }));
    return { first, total, rows };
  };
  /** Requests rows and measures them, like `LogView`. */
  const pull = () => {
    const query = window.query();
    window.accept(answer(query), query);
    for (const row of window.page.rows) {
      heights.keep(row, heightOf(row.sequence));
    }
    window.remeasure();
  };
  const heightBefore = (sequence: number) => {
    let height = 0;
    for (let line = 0; line < sequence; line++) {
      height += heightOf(line);
    }
    return height;
  };
  /** Returns the true position of the view, in px from the top of line 0. */
  const place = () => heightBefore(window.page.rows[0]?.sequence ?? 0) + window.within;

  beforeEach(() => {
    oldest = 0;
    next = 1_000;
    heights = new MeasuredHeights(least);
    window = new RowWindow('text', least);
    window.setHeights(heights);
    window.resize(viewport);
    pull();
  });

  it('has the newest line at the lower edge while it follows', () => {
    for (let round = 0; round < 5; round++) {
      expect(place() + viewport).toBe(heightBefore(next));
      expect(window.covered).toBe(true);
      next += 37;
      pull();
    }
  });

  it('stays to the pixel with what is read while lines arrive and leave', () => {
    window.scrollBy(-333);
    pull();
    const before = place();
    for (let round = 0; round < 5; round++) {
      next += 10_000;
      oldest += 100;
      pull();
      expect(place()).toBe(before);
      expect(window.following).toBe(false);
    }
  });

  it('scrolls by exactly what was asked for, also over rows that were never measured', () => {
    for (const delta of [-100, -251, -600, -40, 500, -990]) {
      const before = place();
      window.scrollBy(delta);
      pull();
      pull();
      expect(place()).toBe(before + delta);
      expect(window.covered).toBe(true);
    }
  });

  it('stops at the first line, and follows again when scrolled down to the last one', () => {
    window.scrollTo(0, false);
    pull();
    pull();
    expect(place()).toBe(0);
    window.scrollBy(-50);
    expect(place()).toBe(0);
    next = 60;
    pull();
    for (let step = 0; step < 30; step++) {
      window.scrollBy(200);
      pull();
    }
    expect(window.following).toBe(true);
    expect(place() + viewport).toBe(heightBefore(next));
  });

  it('jumps to a place far away in proportion', () => {
    const { total, rowHeight } = window.extent;
    window.scrollTo((total * rowHeight) / 2, false);
    expect(window.covered).toBe(false);
    pull();
    pull();
    expect(window.covered).toBe(true);
    const [first] = window.page.rows;
    expect(Math.abs((first?.sequence ?? 0) - 490)).toBeLessThan(20);
  });

  it('brings a line into the upper half, and back into it when it was not there', () => {
    window.reveal(500);
    pull();
    pull();
    const above = heightBefore(500) - place();
    expect(above).toBeGreaterThanOrEqual(0);
    expect(above).toBeLessThan(viewport / 2);
    const before = place();
    next += 100;
    pull();
    expect(place()).toBe(before);
  });

  it('keeps the row at the top when all rows have another width', () => {
    window.scrollBy(-2_000);
    pull();
    pull();
    const top = window.page.rows.findIndex((_, index) => {
      const row = window.page.rows[index];
      return heightBefore((row?.sequence ?? 0) + 1) > place();
    });
    const sequence = window.page.rows[top]?.sequence;
    heights.clear();
    for (const row of window.page.rows) {
      heights.keep(row, 400);
    }
    window.remeasure();
    expect(window.page.rows[Math.floor(window.within / 400)]?.sequence).toBe(sequence);
  });

  it('never leaves a gap, however it is scrolled and whatever comes and goes', () => {
    const steps = fc.array(
      fc.record({
        scroll: fc.integer({ min: -3_000, max: 3_000 }),
        arrive: fc.integer({ min: 0, max: 300 }),
        leave: fc.integer({ min: 0, max: 300 }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(steps, (history) => {
        oldest = 0;
        next = 100;
        window = new RowWindow('text', least);
        window.setHeights(heights);
        window.resize(viewport);
        for (const { scroll, arrive, leave } of history) {
          pull();
          window.scrollBy(scroll);
          next += arrive;
          oldest = Math.min(oldest + leave, next - 20);
          pull();
          pull();
          pull();
          expect(window.covered).toBe(true);
          expect(window.within).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
