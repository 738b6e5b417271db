/**
 * Thins out the points of several series for a span of time. Of all points in one column of pixels, the lowest and
 * the highest are kept in their order, so that no spike is lost. A curve has a break where the series was silent, or
 * where a reading was not a number.
 */
import { BLOCK_POINTS, type PlottedSeries } from './point-ring.ts';

/** Value that marks a break of a curve. */
export const curveBreak = Number.POSITIVE_INFINITY;
/** Usual intervals without a point after which a series counts as silent. `shortestBreak` must also have passed. */
const breakIntervals = 5;
/** Shortest silence in milliseconds: boards and bridges send in bursts. */
const shortestBreak = 1_000;
/** Most intervals that are sampled to find the usual one. */
const maxIntervals = 128;

export interface PlotWindowQuery {
  /** Start in milliseconds since the Unix epoch, before `to`. */
  readonly from: number;
  readonly to: number;
  /** Columns of pixels, at least 1. */
  readonly width: number;
  /** IDs of the series to include. Default: all. */
  readonly series?: readonly number[];
}

export interface PlotWindow {
  /** Two times for each column, ascending, the same for all series. */
  readonly times: Float64Array<ArrayBuffer>;
  /** ID of each requested series, and a value for each of the times: NaN without a point, `curveBreak` for a break. */
  readonly series: readonly { readonly id: number; readonly values: Float64Array<ArrayBuffer> }[];
}

/**
 * Thins out the series for a window.
 *
 * @throws RangeError for a span without length or a screen without width.
 */
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
  const longest = longestInterval(points);
  let before = Number.NaN;
  /** Adds a further value of the current column. */
  const extend = (value: number) => {
    if (value < low) {
      low = value;
      values[2 * column] = high;
      values[2 * column + 1] = low;
    } else if (value > high) {
      high = value;
      values[2 * column] = low;
      values[2 * column + 1] = high;
    }
  };
  for (let point = points.pointAt(from); point < end; point++) {
    const time = points.timeOf(point);
    if (time >= to) {
      break;
    }
    const value = points.valueOf(point);
    const at = Math.min(width - 1, Math.floor((time - from) * scale));
    // A break needs a slot of its own between two points.
    const isBroken = time - before > longest ? at > column + 1 : points.gapBefore(point) && at > column;
    if (isBroken && column >= 0 && Number.isNaN(values[2 * at - 1])) {
      values[2 * at - 1] = curveBreak;
    }
    before = time;
    if (at !== column) {
      column = at;
      low = value;
      high = value;
      values[2 * at] = value;
    } else {
      extend(value);
    }
    const block = points.blockAt(point);
    const last = block === null ? 0 : points.timeOf(point + BLOCK_POINTS - 1);
    if (block !== null && last < to && Math.min(width - 1, Math.floor((last - from) * scale)) === column) {
      extend(block.first);
      extend(block.second);
      before = last;
      point += BLOCK_POINTS - 1;
    }
  }
  return values;
}

/**
 * Returns the longest interval between two points of one curve, in milliseconds. Most intervals are shorter than the
 * usual one; those within a burst do not count.
 */
function longestInterval(points: PlottedSeries['points']): number {
  const count = points.end - points.first - 1;
  const step = Math.max(1, count / maxIntervals);
  const intervals: number[] = [];
  for (let at = 0; at < count; at += step) {
    const point = points.first + Math.floor(at);
    const interval = points.timeOf(point + 1) - points.timeOf(point);
    if (interval >= 1) {
      intervals.push(interval);
    }
  }
  const usual = intervals.sort((one, other) => one - other)[Math.floor(intervals.length * 0.9)] ?? 0;
  return Math.max(shortestBreak, usual * breakIntervals);
}
