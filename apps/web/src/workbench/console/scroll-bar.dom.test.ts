import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScrollBar } from './scroll-bar.ts';

/** A scroller with rows of 25 px and a view of 500 px, in a browser that keeps `scrollTop` in range. */
function scrollerWith(rows: { total: number; top: number; following: boolean }) {
  const spacer = document.createElement('div');
  const view = { clientHeight: 500, wanted: 0 };
  const range = () => Math.max(0, Number.parseFloat(spacer.style.height || '0') - view.clientHeight);
  const scroller = document.createElement('div');
  Object.defineProperties(scroller, {
    clientHeight: { get: () => view.clientHeight },
    scrollHeight: { get: () => range() + view.clientHeight },
    scrollTop: {
      get: () => Math.min(view.wanted, range()),
      set: (value: number) => {
        view.wanted = Math.min(Math.max(0, value), range());
      },
    },
  });
  const bar = new ScrollBar({
    scroller,
    spacer,
    rows: () => ({ ...rows, extent: { total: rows.total, rowHeight: 25, viewport: view.clientHeight } }),
  });
  const settle = () => {
    bar.follow();
    vi.advanceTimersByTime(1_000);
    bar.take();
  };
  return { bar, scroller, view, settle };
}

describe('scroll bar', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('follows the rows', () => {
    const rows = { total: 1_000, top: 24_500, following: true };
    const { scroller, settle } = scrollerWith(rows);
    settle();
    expect(scroller.scrollTop).toBe(24_500);
    Object.assign(rows, { total: 2_000, top: 49_500 });
    settle();
    expect(scroller.scrollTop).toBe(49_500);
  });

  it('does not take its own corrections for a person', () => {
    const rows = { total: 1_000, top: 24_500, following: true };
    const { bar, settle } = scrollerWith(rows);
    settle();
    expect(bar.take()).toBeNull();
  });

  it('does not take a window that became taller for a person', () => {
    const { bar, view, settle } = scrollerWith({ total: 1_000, top: 24_500, following: true });
    settle();
    view.clientHeight = 540;
    expect(bar.take()).toBeNull();
  });

  it('does not take a window that became taller, and shorter again, for a person; the next move is one', () => {
    const { bar, scroller, view, settle } = scrollerWith({ total: 1_000, top: 24_500, following: true });
    settle();
    view.clientHeight = 540;
    // The browser clamps `scrollTop` at once, but fires the scroll event later.
    view.wanted = scroller.scrollTop;
    view.clientHeight = 520;
    expect(bar.take()).toBeNull();
    scroller.scrollTop -= 120;
    expect(bar.take()).toEqual({ kind: 'by', pixels: -120 });
  });

  it('reports small moves in pixels, and long ones by their place', () => {
    const { bar, scroller, settle } = scrollerWith({ total: 1_000, top: 10_000, following: false });
    settle();
    scroller.scrollTop -= 120;
    expect(bar.take()).toEqual({ kind: 'by', pixels: -120 });
    scroller.scrollTop = 2_000;
    expect(bar.take()).toEqual({ kind: 'to', top: 2_000, downwards: false });
    scroller.scrollTop = 0;
    expect(bar.take()).toEqual({ kind: 'start' });
    scroller.scrollTop = 24_500;
    expect(bar.take()).toEqual({ kind: 'end' });
  });

  it('is left alone while a person moves it, and corrected afterwards', () => {
    const rows = { total: 1_000, top: 10_000, following: false };
    const { bar, scroller, settle } = scrollerWith(rows);
    settle();
    scroller.scrollTop = 9_900;
    bar.take();
    rows.top = 9_000;
    bar.follow();
    vi.advanceTimersByTime(100);
    expect(scroller.scrollTop).toBe(9_900);
    vi.advanceTimersByTime(200);
    expect(scroller.scrollTop).toBe(9_000);
  });

  it('is corrected once a second while the rows run by and it hardly grows', () => {
    const rows = { total: 100_000, top: 2_499_500, following: true };
    const { bar, scroller, settle } = scrollerWith(rows);
    settle();
    const heights = new Set<number>();
    for (let step = 0; step < 100; step++) {
      rows.total += 100;
      rows.top += 2_500;
      bar.follow();
      vi.advanceTimersByTime(50);
      heights.add(scroller.scrollHeight);
    }
    expect(heights.size).toBeGreaterThan(3);
    expect(heights.size).toBeLessThan(8);
    vi.advanceTimersByTime(1_000);
    expect(scroller.scrollTop).toBe(rows.top);
  });

  it('comes to the end as soon as one follows again', () => {
    const rows = { total: 100_000, top: 1_000, following: false };
    const { bar, scroller } = scrollerWith(rows);
    bar.follow();
    vi.advanceTimersByTime(0);
    Object.assign(rows, { total: 100_010, top: 2_499_750, following: true });
    bar.follow();
    vi.advanceTimersByTime(250);
    expect(scroller.scrollTop).toBe(rows.top);
  });

  it('is not left behind by a log that grows a lot, or becomes shorter', () => {
    const rows = { total: 1_000, top: 24_500, following: true };
    const { bar, scroller, settle } = scrollerWith(rows);
    settle();
    for (const total of [2_000, 4_000, 3_900]) {
      Object.assign(rows, { total, top: total * 25 - 500 });
      bar.follow();
      vi.advanceTimersByTime(250);
      expect(scroller.scrollTop).toBe(rows.top);
    }
  });

  it('leaves no timer behind', () => {
    const { bar } = scrollerWith({ total: 10, top: 0, following: true });
    bar.follow();
    bar.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});
