/** Simulated window whose size a test can change. */
import { act } from '@testing-library/react';
import { beforeEach, vi } from 'vitest';

interface WindowSize {
  readonly width: number;
  readonly height: number;
}

export const desk: WindowSize = { width: 1440, height: 900 };
export const phone: WindowSize = { width: 390, height: 844 };
export const turnedPhone: WindowSize = { width: 844, height: 390 };

let size = desk;
let lists: EventTarget[] = [];

/** Evaluates media queries about the window's size. Other queries are false. */
function holds(query: string): boolean {
  const [, bound, side, px] = /^\((min|max)-(width|height): (\d+)px\)$/.exec(query) ?? [];
  const actual = side === 'width' ? size.width : size.height;
  return bound === 'min' ? actual >= Number(px) : bound === 'max' && actual <= Number(px);
}

/**
 * Call it once in a test file, after `withWholePages`.
 *
 * @param first Size of the window at the start of each test.
 */
export function startInWindow(first: WindowSize): void {
  beforeEach(() => {
    size = first;
    lists = [];
    vi.stubGlobal('matchMedia', (query: string) => {
      const list = Object.defineProperty(new EventTarget(), 'matches', { get: () => holds(query) });
      lists.push(list);
      return list;
    });
  });
}

export function resizeTo(wanted: WindowSize): void {
  size = wanted;
  act(() => {
    for (const list of lists) {
      list.dispatchEvent(new Event('change'));
    }
  });
}
