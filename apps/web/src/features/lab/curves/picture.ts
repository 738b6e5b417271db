/** Numbers over time as the plot takes them. */
import type { PlotPicture } from '../../../workbench/bench-protocol.ts';

/** Colours that the style sheet has for series. */
export const seriesCount = 8;

export interface Curve {
  /** Milliseconds since the Unix epoch, ascending. */
  readonly times: readonly number[];
  /** NaN where there is none. */
  readonly values: readonly number[];
}

/** The newest `span` milliseconds up to `to`; the id of a series is the place of its curve. */
export function pictureOf(curves: readonly Curve[], revision: number, to: number, span: number): PlotPicture {
  const from = to - span;
  const times = Float64Array.from(
    [
      ...new Set(
        curves.flatMap((curve) => curve.times.slice(firstAt(curve.times, from), firstAt(curve.times, to + 1))),
      ),
    ].sort((one, two) => one - two),
  );
  const series = curves.map((curve, id) => {
    const values = new Float64Array(times.length).fill(Number.NaN);
    let at = firstAt(curve.times, from);
    for (const [index, time] of times.entries()) {
      if (curve.times[at] === time) {
        values[index] = curve.values[at] ?? Number.NaN;
        at++;
      }
    }
    return { id, values };
  });
  return { revision, series: [], skippedLines: 0, from, to, window: { times, series } };
}

/** Index of the first time that is not before `at`. */
function firstAt(times: readonly number[], at: number): number {
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
