import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { LogSelection } from './log-selection.ts';
import { addTouchSelecting } from './selecting.ts';

describe('selecting rows with a finger', () => {
  let scroller: HTMLElement;
  let selection: LogSelection;
  let ending: AbortController;

  const at = (sequence: number) => ({ sequence, part: 0, column: 0 });
  const rows = (from: number, to: number) => ({ from: at(from), to: at(to), field: 'rows' });
  const touch = (type: string, sequence: number, pointerType = 'touch', y = 0) => {
    const event = new MouseEvent(type, { bubbles: true, clientX: 0, clientY: y });
    scroller.children[sequence]?.dispatchEvent(Object.assign(event, { pointerType }));
  };
  const tap = (sequence: number) => {
    touch('pointerdown', sequence);
    touch('pointerup', sequence);
  };
  const press = (sequence: number) => {
    touch('pointerdown', sequence);
    vi.advanceTimersByTime(500);
    touch('pointerup', sequence);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    scroller = document.createElement('div');
    scroller.append(...Array.from({ length: 20 }, () => document.createElement('p')));
    selection = new LogSelection();
    ending = new AbortController();
    addTouchSelecting({
      scroller,
      rowOf: (element) => at([...scroller.children].indexOf(element)) as unknown as PaintedRow,
      selection,
      onChange: () => undefined,
      signal: ending.signal,
    });
  });
  afterEach(() => {
    ending.abort();
    vi.useRealTimers();
  });

  it('begins with a long press, and a tap only scrolls or focuses', () => {
    tap(3);
    expect(selection.span).toBeNull();
    press(3);
    expect(selection.span).toEqual(rows(3, 3));
  });

  it('reaches up to the row that is tapped next, in either direction', () => {
    press(8);
    tap(12);
    expect(selection.span).toEqual(rows(8, 12));
    tap(2);
    expect(selection.span).toEqual(rows(2, 8));
  });

  it('is given up by a tap on the only row', () => {
    press(8);
    tap(8);
    expect(selection.span).toBeNull();
  });

  it('is not begun by a finger that scrolls', () => {
    touch('pointerdown', 3);
    touch('pointermove', 3, 'touch', 30);
    vi.advanceTimersByTime(1_000);
    touch('pointerup', 3);
    touch('pointerdown', 3);
    touch('pointercancel', 3);
    vi.advanceTimersByTime(1_000);
    expect(selection.span).toBeNull();
    press(5);
    touch('pointerdown', 9);
    touch('pointermove', 9, 'touch', 300);
    touch('pointerup', 9);
    expect(selection.span).toEqual(rows(5, 5));
  });

  it('leaves a mouse alone, and no timer behind', () => {
    touch('pointerdown', 3, 'mouse');
    vi.advanceTimersByTime(1_000);
    expect(selection.span).toBeNull();
    touch('pointerdown', 3);
    ending.abort();
    expect(vi.getTimerCount()).toBe(0);
  });
});
