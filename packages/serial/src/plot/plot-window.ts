/**
 * A stretch of time of several series, thinned out: of all points that share a column of pixels the lowest and the highest stay,
 * in the order in which they came, so that no spike is lost. Knows no screen but its width.
 */
import type { PlottedSeries } from './point-ring.ts';

export interface PlotWindowQuery {
  /** Milliseconds since the Unix epoch, `from` before `to`. */
  readonly from: number;
  readonly to: number;
  /** Columns of pixels, at least 1. */
  readonly width: number;
  /** Only the series with these ids; all of them unless told. */
  readonly series?: readonly number[];
}

export interface PlotWindow {
  /** Two for each column, ascending; the same for all series. */
  readonly times: Float64Array<ArrayBuffer>;
  /** For each of the series asked for its id, and a value for each of the times; NaN where there is none. */
  readonly series: readonly { readonly id: number; readonly values: Float64Array<ArrayBuffer> }[];
}

/** Throws a RangeError for a stretch without length or a screen without width. */
export function plotWindow(all: readonly PlottedSeries[], { from, to, width, series }: PlotWindowQuery): PlotWindow {
  if (!(to > from) || !Number.isInteger(width) || width < 1) {
    throw new RangeError('A window has a begin before its end, and at least one column');
  }
  const column = (to - from) / width;
  const times = Float64Array.from({ length: 2 * width }, (_, index) => from + (index * column) / 2);
  const wanted = all.filter(({ id }) => series?.includes(id) ?? true);
  return { times, series: wanted.map((one) => ({ id: one.id, values: thinned(one, from, to, width) })) };
}

function thinned({ points }: PlottedSeries, from: number, to: number, width: number): Float64Array<ArrayBuffer> {
  const values = new Float64Array(2 * width).fill(Number.NaN);
  const scale = width / (to - from);
  const end = points.end;
  let column = -1;
  let low = 0;
  let high = 0;
  for (let point = points.pointAt(from); point < end; point++) {
    const time = points.timeOf(point);
    if (time >= to) {
      break;
    }
    const value = points.valueOf(point);
    const at = Math.min(width - 1, Math.floor((time - from) * scale));
    if (at !== column) {
      column = at;
      low = value;
      high = value;
      values[2 * at] = value;
    } else if (value < low) {
      low = value;
      values[2 * at] = high;
      values[2 * at + 1] = low;
    } else if (value > high) {
      high = value;
      values[2 * at] = low;
      values[2 * at + 1] = high;
    }
  }
  return values;
}
