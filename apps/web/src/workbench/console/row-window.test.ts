import type { RowQuery } from '@wirebench/serial';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { overscan, RowWindow } from './row-window.ts';

const rowHeight = 25;
const viewport = 250;

interface TestRow {
  readonly sequence: number;
  readonly part: number;
}

/** Simulated timeline that answers like the bench, with one row for each line. The oldest lines can be dropped. */
class Timeline {
  oldest = 0;
  next: number;

  constructor(lines: number) {
    this.next = lines;
  }

  answer({ anchor, count }: RowQuery) {
    const total = this.next - this.oldest;
    const at = (position: number) => Math.min(Math.max(0, position), total);
    let first: number;
    if (anchor === 'tail') {
      first = at(total - count);
    } else if ('position' in anchor) {
      first = at(anchor.position);
    } else {
      const line = Math.min(Math.max(anchor.sequence, this.oldest), this.next);
      first = at(line + anchor.offset - this.oldest);
    }
    const rows: TestRow[] = [];
    for (let position = first; position < Math.min(total, first + count); position++) {
      rows.push({ sequence: this.oldest + position, part: 0 });
    }
    return { first, total, rows };
  }
}

describe('row window', () => {
  let window: RowWindow<TestRow>;
  let timeline: Timeline;
  const pull = () => {
    const query = window.query();
    window.accept(timeline.answer(query), query);
  };
  /** Returns the fractional number of the line at the top of the view. */
  const topLine = () => {
    const index = Math.floor(window.within / rowHeight);
    return (window.page.rows[index]?.sequence ?? Number.NaN) + (window.within % rowHeight) / rowHeight;
  };

  beforeEach(() => {
    window = new RowWindow('text', rowHeight);
    window.resize(viewport);
    timeline = new Timeline(1_000);
    pull();
  });

  it('shows the newest lines with the last one at the lower edge', () => {
    expect(topLine()).toBe(990);
    timeline.next += 500;
    pull();
    expect(topLine()).toBe(1_490);
    expect(window.covered).toBe(true);
  });

  it('starts at the top when there are fewer lines than fit', () => {
    timeline = new Timeline(3);
    pull();
    expect(topLine()).toBe(0);
    expect(window.within).toBe(0);
  });

  it('stops following when scrolled up, and stays with the line that is read while others arrive', () => {
    window.scrollBy(-130);
    expect(window.following).toBe(false);
    const read = topLine();
    for (let round = 0; round < 5; round++) {
      timeline.next += 10_000;
      pull();
      expect(topLine()).toBe(read);
    }
  });

  it('leaves newest lines aside that were asked for before it was paused', () => {
    const query = window.query();
    timeline.next += 10_000;
    window.pause();
    const read = topLine();
    expect(window.accept(timeline.answer(query), query)).toBe(false);
    expect(topLine()).toBe(read);
    pull();
    expect(topLine()).toBe(read);
    expect(window.page.total).toBe(11_000);
  });

  it('stays with the line that is read while older ones leave', () => {
    window.scrollTo(500 * rowHeight + 7, false);
    pull();
    timeline.oldest += 200;
    timeline.next += 200;
    pull();
    expect(topLine()).toBeCloseTo(500 + 7 / rowHeight);
    expect(window.page.first).toBe(300 - overscan);
  });

  it('goes to the oldest line left when the one that is read has left', () => {
    window.scrollTo(0, false);
    pull();
    timeline.oldest += 400;
    timeline.next += 400;
    pull();
    expect(topLine()).toBe(400);
    expect(window.following).toBe(false);
  });

  it('comes back to the line that was read after a filter that hid all lines, and follows an emptied log', () => {
    window.scrollTo(500 * rowHeight + 7, false);
    pull();
    const none = { first: 0, total: 0, rows: [] };
    window.accept({ ...none, isHidden: true }, window.query());
    expect([window.following, window.covered]).toEqual([false, true]);
    timeline.next += 50;
    pull();
    expect(topLine()).toBeCloseTo(500 + 7 / rowHeight);
    window.accept(none, window.query());
    expect(window.following).toBe(true);
  });

  it('follows again when scrolled down to the newest line', () => {
    window.scrollBy(-100);
    pull();
    window.scrollBy(60);
    expect(window.following).toBe(false);
    window.scrollBy(60);
    expect(window.following).toBe(true);
  });

  it('stays paused at the newest line when it is paused there', () => {
    window.pause();
    timeline.next += 100;
    pull();
    expect(topLine()).toBe(990);
  });

  it('finds rows painted already when scrolled by less than the rows around it', () => {
    window.scrollTo(500 * rowHeight, false);
    pull();
    window.scrollBy(overscan * rowHeight);
    expect(window.covered).toBe(true);
    window.scrollBy(rowHeight);
    window.scrollBy(rowHeight * 2);
    expect(window.covered).toBe(false);
  });

  it('keeps what was scrolled while an answer was under way', () => {
    window.scrollTo(500 * rowHeight, false);
    pull();
    const query = window.query();
    const answer = timeline.answer(query);
    window.scrollBy(40);
    window.accept(answer, query);
    expect(topLine()).toBeCloseTo(501.6);
  });

  it('jumps to a place far away by its position', () => {
    window.scrollTo(200 * rowHeight, false);
    expect(window.covered).toBe(false);
    expect(window.query()).toMatchObject({ anchor: { position: 200 - overscan } });
    pull();
    expect(topLine()).toBe(200);
  });

  it('keeps the line at the top when the layout or the row height changes', () => {
    window.scrollTo(500 * rowHeight + 3, false);
    pull();
    window.setLayout('hex');
    expect(window.query()).toMatchObject({ layout: 'hex', anchor: { sequence: 500, part: 0 } });
    pull();
    expect(topLine()).toBe(500);
    window.setRowHeight(20);
    expect(window.page.rows[Math.floor(window.within / 20)]?.sequence).toBe(500);
  });

  it('leaves an answer aside that was asked for in another layout', () => {
    const query = window.query();
    window.setLayout('hex');
    window.accept({ first: 0, total: 1, rows: [] }, query);
    expect(window.page.total).toBe(1_000);
  });

  it('follows again once everything was cleared', () => {
    window.scrollBy(-100);
    timeline = new Timeline(0);
    pull();
    expect(window.following).toBe(true);
  });

  it('never shows a gap or a line out of range, however it is scrolled and whatever comes and goes', () => {
    const steps = fc.array(
      fc.record({
        scroll: fc.integer({ min: -2_000, max: 2_000 }),
        arrive: fc.integer({ min: 0, max: 300 }),
        leave: fc.integer({ min: 0, max: 300 }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (history) => {
        timeline = new Timeline(100);
        window = new RowWindow('text', rowHeight);
        window.resize(viewport);
        for (const { scroll, arrive, leave } of history) {
          pull();
          window.scrollBy(scroll);
          timeline.next += arrive;
          timeline.oldest = Math.min(timeline.oldest + leave, timeline.next - 20);
          pull();
          pull();
          expect(window.covered).toBe(true);
        }
      }),
    );
  });

  it('is restored in another window at its position, even in a lower one with new lines', () => {
    expect(window.place).toBeNull();
    window.scrollTo(123.5 * rowHeight, false);
    pull();
    expect(topLine()).toBe(123.5);
    const { place } = window;
    timeline.next += 300;
    window = new RowWindow('text', rowHeight);
    // The answer to the request from before `takeUp` must be ignored.
    const query = window.query();
    window.takeUp(place ?? expect.fail('nothing is read'));
    window.accept(timeline.answer(query), query);
    window.resize(viewport / 2);
    pull();
    expect(topLine()).toBe(123.5);
    expect(window.following).toBe(false);
    window.follow();
    expect(window.place).toBeNull();
  });

  it('brings a line into the upper half, and stays there', () => {
    window.reveal(500);
    pull();
    expect(window.following).toBe(false);
    expect(topLine()).toBe(497);
    timeline.next += 100;
    pull();
    expect(topLine()).toBe(497);
  });

  it('brings a line to where it is wanted although an older answer comes in between', () => {
    const query = window.query();
    window.reveal(500);
    window.accept(timeline.answer(query), query);
    pull();
    expect(topLine()).toBe(497);
  });

  it('does not move for a line that is seen already', () => {
    const top = topLine();
    window.reveal(995);
    pull();
    expect(topLine()).toBe(top);
    expect(window.following).toBe(false);
  });

  it('reveals the oldest and the newest line as far as there is something to scroll', () => {
    window.reveal(0);
    pull();
    expect(topLine()).toBe(0);
    window.reveal(999);
    pull();
    expect(topLine()).toBe(990);
  });

  it('stays near the line that a filter takes away', () => {
    window.scrollTo(500 * rowHeight, false);
    pull();
    pull();
    const query = window.query();
    // Keeps every tenth line, but not the line at the top of the view.
    const left = Array.from({ length: 100 }, (_, index) => ({ sequence: index * 10 + 5, part: 0 }));
    const first = left.findIndex(({ sequence }) => sequence >= 500) - overscan;
    window.accept({ first, total: left.length, rows: left.slice(first, first + query.count) }, query);
    expect(topLine()).toBe(505);
  });

  it('shows the newest lines where none comes after the one that is wanted', () => {
    window.scrollTo(200 * rowHeight, false);
    pull();
    window.reveal(2_000);
    pull();
    pull();
    expect(window.bottomRow?.sequence).toBe(999);
    expect(window.following).toBe(false);
    expect(window.covered).toBe(true);
  });

  it('knows the newest line that is seen whole', () => {
    expect(window.bottomRow?.sequence).toBe(999);
    window.scrollTo(500 * rowHeight + 5, false);
    pull();
    pull();
    expect(window.bottomRow?.sequence).toBe(509);
  });
});
