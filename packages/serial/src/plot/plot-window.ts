/**
 * Thins out the points of several series for a span of time. Of all points in one column of pixels, the lowest and
 * the highest are kept in their order, so that no spike is lost; of texts and named values, the first and the last. A curve has a
 * break where the series was silent, or where a reading had no value.
 */
import type { PlottedSeries, PointStore } from './point-store.ts';

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

/** A point beside a window, to which its curve goes on. */
export interface EdgePoint {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly value: number;
}

interface WindowSeries {
  readonly id: number;
  /** A value for each of the times: NaN without a point, `curveBreak` for a break. */
  readonly values: Float64Array<ArrayBuffer>;
  /** Number of points in the window. */
  readonly points: number;
  /** Last point before the window and first one behind it. Null: none, or the curve is broken between. */
  readonly before: EdgePoint | null;
  readonly after: EdgePoint | null;
}

export interface PlotWindow {
  /** Two times for each column, ascending, the same for all series. */
  readonly times: Float64Array<ArrayBuffer>;
  readonly series: readonly WindowSeries[];
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
  return { times, series: wanted.map((one) => windowOf(one, from, to, width)) };
}

function windowOf({ id, points, valueNames }: PlottedSeries, from: number, to: number, width: number): WindowSeries {
  const first = points.pointAt(from);
  const end = points.pointAt(to);
  const longest = longestInterval(points);
  const isJoined = (point: number) =>
    point > points.first &&
    point < points.end &&
    !points.gapBefore(point) &&
    points.timeOf(point) - points.timeOf(point - 1) <= longest;
  const edge = (point: number): EdgePoint => ({ at: points.timeOf(point), value: points.valueOf(point) });
  const columns: Columns = { points, first, end, from, width, scale: width / (to - from), longest };
  return {
    id,
    values: valueNames.size > 0 ? firstAndLast(columns) : lowAndHigh(columns),
    points: end - first,
    before: isJoined(first) ? edge(first - 1) : null,
    after: isJoined(end) ? edge(end) : null,
  };
}

interface Columns {
  readonly points: PointStore;
  /** Points of the window: from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly width: number;
  /** Columns in a millisecond. */
  readonly scale: number;
  /** Longest interval of one curve, in milliseconds. */
  readonly longest: number;
}

const columnOf = ({ from, width, scale }: Columns, time: number): number =>
  Math.min(width - 1, Math.floor((time - from) * scale));

function lowAndHigh(columns: Columns): Float64Array<ArrayBuffer> {
  const { points, end, width, longest } = columns;
  const values = new Float64Array(2 * width).fill(Number.NaN);
  let column = -1;
  let low = 0;
  let high = 0;
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
  for (let point = columns.first; point < end; ) {
    const time = points.timeOf(point);
    const at = columnOf(columns, time);
    // A break needs a slot of its own between two points.
    const isBroken = time - before > longest ? at > column + 1 : points.gapBefore(point) && at > column;
    if (isBroken && column >= 0 && Number.isNaN(values[2 * at - 1])) {
      values[2 * at - 1] = curveBreak;
    }
    if (at !== column) {
      column = at;
      const value = points.valueOf(point);
      low = value;
      high = value;
      values[2 * at] = value;
    }
    let run = points.runAt(point);
    while (run > 1 && (point + run > end || columnOf(columns, points.timeOf(point + run - 1)) !== column)) {
      run = points.shorterRun(run);
    }
    if (run === 1) {
      extend(points.valueOf(point));
    } else {
      const [runLow, runHigh] = [points.lowOf(point, run), points.highOf(point, run)];
      const isLowFirst = points.isLowFirst(point, run);
      extend(isLowFirst ? runLow : runHigh);
      extend(isLowFirst ? runHigh : runLow);
    }
    point += run;
    before = points.timeOf(point - 1);
  }
  return values;
}

/** Keeps the first value of each column and, if another one comes in it, the last. */
function firstAndLast(columns: Columns): Float64Array<ArrayBuffer> {
  const { points, end, from, width, scale, longest } = columns;
  const values = new Float64Array(2 * width).fill(Number.NaN);
  let before = Number.NaN;
  let previous = -1;
  for (let point = columns.first; point < end; ) {
    const time = points.timeOf(point);
    const at = columnOf(columns, time);
    const isBroken = time - before > longest ? at > previous + 1 : points.gapBefore(point) && at > previous;
    if (isBroken && previous >= 0 && Number.isNaN(values[2 * at - 1])) {
      values[2 * at - 1] = curveBreak;
    }
    const value = points.valueOf(point);
    values[2 * at] = value;
    let next = at === width - 1 ? end : Math.max(point + 1, Math.min(end, points.pointAt(from + (at + 1) / scale)));
    // The start of a column is rounded.
    while (next < end && columnOf(columns, points.timeOf(next)) === at) {
      next++;
    }
    while (next > point + 1 && columnOf(columns, points.timeOf(next - 1)) > at) {
      next--;
    }
    const last = points.valueOf(next - 1);
    if (last !== value) {
      values[2 * at + 1] = last;
    }
    before = points.timeOf(next - 1);
    previous = at;
    point = next;
  }
  return values;
}

/**
 * Returns the longest interval between two points of one curve, in milliseconds. Most intervals are shorter than the
 * usual one; those within a burst do not count.
 */
export function longestInterval(points: PointStore): number {
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
