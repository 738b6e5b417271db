/** Converts numbers over time to the form that the plot takes. */
import type { ChartPicture } from '../../../workbench/plot/plot-chart.ts';

/** Number of series colours in the style sheet. */
export const seriesCount = 8;

export interface Curve {
  /** Milliseconds since the Unix epoch, ascending. */
  readonly times: ArrayLike<number>;
  /** NaN for a missing value. */
  readonly values: ArrayLike<number>;
}

/** Returns the `span` milliseconds up to `to`. The id of a series is the index of its curve. */
export function pictureOf(curves: readonly Curve[], to: number, span: number): ChartPicture {
  const from = to - span;
  const ranges = curves.map(({ times }) => ({ first: firstAt(times, from), end: firstAt(times, to + 1) }));
  const most = ranges.reduce((sum, { first, end }) => sum + end - first, 0);
  const times = new Float64Array(most);
  const columns = curves.map(() => new Float64Array(most).fill(Number.NaN));
  let count = 0;
  for (const { at, curve, index } of inOrder(curves, ranges)) {
    if (count === 0 || times[count - 1] !== at) {
      times[count] = at;
      count++;
    }
    const column = columns[curve];
    if (column !== undefined) {
      column[count - 1] = curves[curve]?.values[index] ?? Number.NaN;
    }
  }
  const series = columns.map((values, id) => ({ id, values: values.subarray(0, count) }));
  return {
    from,
    to,
    window: { times: times.subarray(0, count), series },
  };
}

interface PlacedValue {
  readonly at: number;
  /** Index of its curve in the list. */
  readonly curve: number;
  readonly index: number;
}

/**
 * Yields all values of the ranges in the order of time.
 * @param ranges One range of indices for each curve.
 */
export function* inOrder(
  curves: readonly Pick<Curve, 'times'>[],
  ranges: readonly { readonly first: number; readonly end: number }[],
): Generator<PlacedValue> {
  const next = ranges.map(({ first }) => first);
  for (;;) {
    let curve = -1;
    let at = Number.POSITIVE_INFINITY;
    for (const [place, { times }] of curves.entries()) {
      const index = next[place] ?? 0;
      const time = times[index];
      if (index < (ranges[place]?.end ?? 0) && time !== undefined && time < at) {
        curve = place;
        at = time;
      }
    }
    const index = next[curve];
    if (index === undefined) {
      return;
    }
    next[curve] = index + 1;
    yield { at, curve, index };
  }
}

/** Returns the index of the first time that is at least `at`. */
function firstAt(times: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
