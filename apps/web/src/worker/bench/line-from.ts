/** From a time to the line that arrived then. */
import type { Bench, Row } from '@wirebench/serial';

/**
 * Sequence number of the oldest line held that arrived at `at` or later, in milliseconds since the Unix epoch; null when
 * none did. Lines are in order of arrival, so a handful of them is looked at.
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
