/** Finds the line that arrived at a time. */
import type { Bench, Row } from '@wirebench/serial';

/**
 * Returns the sequence number of the oldest line in the ring that arrived at `at` or later. Null without one. A
 * binary search suffices, because lines are in order of arrival.
 * @param at Milliseconds since the Unix epoch.
 */
export function lineFrom(bench: Bench, at: number): number | null {
  const rowAt = (position: number) => bench.rows({ layout: 'text', anchor: { position }, count: 1 });
  let found: Row | null = null;
  let low = 0;
  let high = rowAt(0).total;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const [row] = rowAt(middle).rows;
    if (row === undefined || row.at < at) {
      low = middle + 1;
    } else {
      found = row;
      high = middle;
    }
  }
  return found?.sequence ?? null;
}
