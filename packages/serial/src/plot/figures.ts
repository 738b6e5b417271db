/**
 * Figures of the shown part of a curve. Sums of whole chunks of points are kept, so that a move over a million points reads the points at
 * its two ends only. An entry of its own (`@wirebench/serial/figures`), loaded with the plot.
 *
 * All points from `from` to `to` count, both ends included, and each counts once: mean, RMS and deviation are those of the points,
 * however unevenly they came. The share of a state counts time instead. A value that is infinite counts nowhere.
 */

import { longestInterval } from './plot-window.ts';
import { CHUNK_POINTS, type PlottedSeries, type PointStore } from './point-store.ts';

/** Place of a value: the line of its point, and the time at which it is drawn, in milliseconds since the Unix epoch. */
interface FigurePlace {
  readonly sequence: number;
  readonly at: number;
}

/** Reason for which a part of a curve has no frequency. */
export type NoFrequency =
  /** The curve does not rise through its mean twice. */
  | 'few-crossings'
  /** The times between its rises differ by more than a quarter: noise, or points that came in bursts. */
  | 'irregular'
  /** Readings without a value, or a silence, interrupt it. */
  | 'gaps'
  /** Nothing gives the times of its points. */
  | 'unknown-times';

export interface NumberFigures {
  readonly low: number;
  readonly lowPlace: FigurePlace;
  readonly high: number;
  readonly highPlace: FigurePlace;
  readonly mean: number;
  /** Root of the mean square of the values, the mean included. */
  readonly rms: number;
  /** Deviation of a sample: the squares are divided by the points less one. Null for one point. */
  readonly deviation: number | null;
  readonly peakToPeak: number;
  /**
   * Rises through the mean, less one, in the seconds from the first to the last of them, in Hz. A rise begins below the mean and ends
   * above it by 2.5 % of peak to peak each, so that noise at the mean does not count. Missing: it was not asked for.
   */
  readonly frequency?: number | NoFrequency;
}

export interface StateFigures {
  /** Part of the time for each value, the longest first. A state lasts until the next point; time within a gap does not count. */
  readonly shares: readonly { readonly value: number; readonly share: number }[];
  /** Points whose value differs from the one before, which may be before the range. A gap is no change. */
  readonly changes: number;
}

export interface SeriesFigures {
  readonly id: number;
  /** Points that count. */
  readonly points: number;
  /** Null: no point counts, or the values have names. */
  readonly numbers: NumberFigures | null;
  /** Null: the values have no names, and are not 0 and 1 alone. */
  readonly states: StateFigures | null;
}

export interface FiguresQuery {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  /** Series to read. */
  readonly series: readonly number[];
  /** True: frequencies, too. They take a look at each point. */
  readonly hasFrequency: boolean;
}

/** Sums of a run of points. */
interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sum of the squared distances from the mean. */
  readonly squares: number;
  /** Numbers of the points with the lowest and the highest value, the first of several. */
  readonly lowPoint: number;
  readonly low: number;
  readonly highPoint: number;
  readonly high: number;
}

const none: Moments = {
  count: 0,
  mean: 0,
  squares: 0,
  lowPoint: -1,
  low: Number.POSITIVE_INFINITY,
  highPoint: -1,
  high: Number.NEGATIVE_INFINITY,
};

/** Sums of the whole chunks of a series, by the number of their first point. */
const kept = new WeakMap<PointStore, Map<number, Moments>>();

/** Points that are read between two pauses. */
const SLICE_POINTS = 16_384;
/** Half of the band around the mean, as a part of peak to peak. */
const HALF_BAND = 0.025;
/** Deviation of the times between rises, as a part of their mean, above which they are no period. */
const MAX_JITTER = 0.25;

/**
 * Reads the figures of a range, one series after the other. It yields after each slice of work, and may be abandoned there. Points that
 * are dropped in between are left out.
 */
export function* figuresOf(
  curves: readonly PlottedSeries[],
  { from, to, series, hasFrequency }: FiguresQuery,
): Generator<void, readonly SeriesFigures[], void> {
  const found: SeriesFigures[] = [];
  for (const id of series) {
    const one = curves.find((curve) => curve.id === id);
    if (one !== undefined) {
      const { points } = one;
      const part: Part = { points, first: points.pointAt(from), end: points.pointAt(after(to)), from, to };
      const states = hasStates(one) ? yield* statesOf(part) : null;
      const moments = yield* momentsOf(part);
      const hasNumbers = moments.count > 0 && one.valueNames.size === 0;
      const numbers = hasNumbers ? yield* numbersOf(one, part, moments, hasFrequency) : null;
      found.push({ id, points: moments.count, numbers, states });
    }
  }
  return found;
}

/** Values of a series are states if they have names, or are on and off. */
const hasStates = ({ valueNames, points }: Pick<PlottedSeries, 'valueNames' | 'points'>): boolean =>
  valueNames.size > 0 || (points.wholeValues?.every((value) => value === 0 || value === 1) ?? false);

/** Points of a range: from `first` up to `end`. */
interface Part {
  readonly points: PointStore;
  readonly first: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the next number above a time, since both ends of a range count. */
const after = (time: number): number => time + Math.max(Number.MIN_VALUE, Math.abs(time) * Number.EPSILON);

function* numbersOf(
  one: PlottedSeries,
  part: Part,
  moments: Moments,
  hasFrequency: boolean,
): Generator<void, NumberFigures, void> {
  const { points } = one;
  const { count, mean, squares, low, high, lowPoint, highPoint } = moments;
  const placeOf = (point: number): FigurePlace => {
    const held = Math.max(point, points.first);
    return { sequence: points.sequenceOf(held), at: points.timeOf(held) };
  };
  const places = { lowPlace: placeOf(lowPoint), highPlace: placeOf(highPoint) };
  const frequency = hasFrequency ? yield* frequencyOf(one, part, moments) : null;
  return {
    low,
    high,
    ...places,
    mean,
    rms: Math.hypot(mean, Math.sqrt(squares / count)),
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : null,
    peakToPeak: high - low,
    ...(frequency !== null && { frequency }),
  };
}

function* momentsOf({ points, first, end }: Part): Generator<void, Moments, void> {
  const chunks = kept.get(points) ?? new Map<number, Moments>();
  kept.set(points, chunks);
  for (const chunk of chunks.keys()) {
    if (chunk >= points.first) {
      break;
    }
    chunks.delete(chunk);
  }
  let all = none;
  let read = 0;
  for (let point = first; point < end; ) {
    const chunkEnd = Math.min(end, point - (point % CHUNK_POINTS) + CHUNK_POINTS);
    const isWhole = chunkEnd - point === CHUNK_POINTS;
    let moments = isWhole ? chunks.get(point) : undefined;
    if (moments === undefined) {
      moments = momentsOfRun(points, Math.max(point, points.first), chunkEnd);
      read += chunkEnd - point;
      if (isWhole && point >= points.first) {
        chunks.set(point, moments);
      }
    }
    all = joined(all, moments);
    point = chunkEnd;
    if (read >= SLICE_POINTS) {
      read = 0;
      yield;
    }
  }
  return all;
}

/** Reads the points twice: squares of distances from the mean stay exact beside a large mean. */
function momentsOfRun(points: PointStore, first: number, end: number): Moments {
  let { count, low, high, lowPoint, highPoint } = none;
  let base = 0;
  let sum = 0;
  for (let point = first; point < end; point++) {
    const value = points.valueOf(point);
    if (Number.isFinite(value)) {
      base = count === 0 ? value : base;
      count++;
      sum += value - base;
      if (value < low) {
        low = value;
        lowPoint = point;
      }
      if (value > high) {
        high = value;
        highPoint = point;
      }
    }
  }
  if (count === 0) {
    return none;
  }
  const mean = base + sum / count;
  let squares = 0;
  let rest = 0;
  for (let point = first; point < end; point++) {
    const distance = points.valueOf(point) - mean;
    if (Number.isFinite(distance)) {
      squares += distance * distance;
      rest += distance;
    }
  }
  // The mean is rounded: what is left of it is taken off the squares.
  return { count, mean, squares: Math.max(0, squares - (rest * rest) / count), lowPoint, low, highPoint, high };
}

/** Joins the sums of two runs (Chan, Golub and LeVeque, 1979). */
function joined(one: Moments, other: Moments): Moments {
  if (one.count === 0 || other.count === 0) {
    return one.count === 0 ? other : one;
  }
  const count = one.count + other.count;
  const distance = other.mean - one.mean;
  const isLower = other.low < one.low;
  const isHigher = other.high > one.high;
  return {
    count,
    mean: one.mean + (distance * other.count) / count,
    squares: one.squares + other.squares + distance * distance * ((one.count * other.count) / count),
    low: isLower ? other.low : one.low,
    lowPoint: isLower ? other.lowPoint : one.lowPoint,
    high: isHigher ? other.high : one.high,
    highPoint: isHigher ? other.highPoint : one.highPoint,
  };
}

function* frequencyOf(
  { hasUnknownTimes }: PlottedSeries,
  { points, first, end }: Part,
  { mean, low, high }: Moments,
): Generator<void, number | NoFrequency, void> {
  if (hasUnknownTimes) {
    return 'unknown-times';
  }
  const band = (high - low) * HALF_BAND;
  const longest = longestInterval(points);
  /** True above the band, false below it; null until a point is outside of it. */
  let isAbove: boolean | null = null;
  let rise = Number.NaN;
  let [time, value] = [Number.NaN, Number.NaN];
  const periods = new Periods();
  const start = Math.max(first, points.first);
  for (let point = start; point < end; point++) {
    if ((point - start) % SLICE_POINTS === SLICE_POINTS - 1) {
      yield;
      if (point <= points.first) {
        return 'gaps';
      }
    }
    const [nextTime, next] = [points.timeOf(point), points.valueOf(point)];
    if (!Number.isFinite(next) || (point > start && (points.gapBefore(point) || nextTime - time > longest))) {
      return 'gaps';
    }
    if (value < mean && next >= mean) {
      rise = time + ((nextTime - time) * (mean - value)) / (next - value);
    }
    if (next > mean + band) {
      if (isAbove === false) {
        periods.take(rise);
      }
      isAbove = true;
    } else if (next < mean - band) {
      isAbove = false;
    }
    [time, value] = [nextTime, next];
  }
  return periods.frequency;
}

/** Mean and deviation of the times between rises, added one by one (Welford, 1962). */
class Periods {
  #last = Number.NaN;
  #count = 0;
  #mean = 0;
  #squares = 0;

  /** @param at Milliseconds. */
  take(at: number): void {
    if (!Number.isNaN(this.#last)) {
      const distance = at - this.#last - this.#mean;
      this.#count++;
      this.#mean += distance / this.#count;
      this.#squares += distance * (at - this.#last - this.#mean);
    }
    this.#last = at;
  }

  get frequency(): number | NoFrequency {
    if (this.#count === 0) {
      return 'few-crossings';
    }
    const isEven = this.#mean > 0 && Math.sqrt(this.#squares / this.#count) <= MAX_JITTER * this.#mean;
    return isEven ? 1_000 / this.#mean : 'irregular';
  }
}

function* statesOf({ points, first, end, from, to }: Part): Generator<void, StateFigures, void> {
  const longest = longestInterval(points);
  const isJoined = (point: number) =>
    point > points.first &&
    point < points.end &&
    !points.gapBefore(point) &&
    points.timeOf(point) - points.timeOf(point - 1) <= longest;
  const times = new Map<number, number>();
  let changes = 0;
  /** Adds the time of the state before a point, within the range. */
  const take = (point: number) => {
    if (isJoined(point)) {
      const value = points.valueOf(point - 1);
      const time = Math.min(to, points.timeOf(point)) - Math.max(from, points.timeOf(point - 1));
      times.set(value, (times.get(value) ?? 0) + Math.max(0, time));
    }
  };
  for (let point = Math.max(first, points.first); point < end; point++) {
    if (point % SLICE_POINTS === SLICE_POINTS - 1) {
      yield;
      point = Math.max(point, points.first);
    }
    take(point);
    changes += isJoined(point) && points.valueOf(point) !== points.valueOf(point - 1) ? 1 : 0;
  }
  take(end);
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0);
  const shares = [...times].map(([value, time]) => ({ value, share: whole > 0 ? time / whole : 0 }));
  return { changes, shares: whole > 0 ? shares.sort((one, other) => other.share - one.share) : [] };
}
