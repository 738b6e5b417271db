/**
 * Curves over another curve: pairs of the values that came in one line. A million pairs become as many dots as a screen has, so that the
 * picture has each of them and a page draws no more than its pixels.
 */
import type { PlottedSeries, PointStore } from './point-store.ts';

export interface XyQuery {
  /** Range of time, in milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  /** ID of the series to the right, and of those upwards. */
  readonly x: number;
  readonly ys: readonly number[];
  /** Pixels of each curve's picture. */
  readonly width: number;
  readonly height: number;
}

interface Extent {
  readonly low: number;
  readonly high: number;
}

interface XyCurve {
  readonly id: number;
  /** Pairs that were read. */
  readonly pairs: number;
  /** Lowest and highest value: the ends of its scale. */
  readonly y: Extent;
  /** Dots as `row × width + column`, from the upper left, without repetitions, in the order of time. */
  readonly dots: Uint32Array<ArrayBuffer>;
}

export interface XyPlane {
  /** Ends of the scale to the right, which all curves share. */
  readonly x: Extent;
  readonly curves: readonly XyCurve[];
}

/** Calls `take` with each pair of values of two series that came in one line. */
function eachPair(x: PointStore, y: PointStore, from: number, to: number, take: (x: number, y: number) => void): void {
  let xPoint = x.pointAt(from);
  const xEnd = x.pointAt(to);
  const yEnd = y.pointAt(to);
  for (let yPoint = y.pointAt(from); yPoint < yEnd; yPoint++) {
    const sequence = y.sequenceOf(yPoint);
    while (xPoint < xEnd && x.sequenceOf(xPoint) < sequence) {
      xPoint++;
    }
    if (xPoint === xEnd) {
      return;
    }
    if (x.sequenceOf(xPoint) === sequence) {
      take(x.valueOf(xPoint), y.valueOf(yPoint));
      // Several samples of a line are paired in their order.
      xPoint += xPoint + 1 < xEnd && x.sequenceOf(xPoint + 1) === sequence ? 1 : 0;
    }
  }
}

/** Returns the pairs of a range of time; null if the series to the right has no pair with another. */
export function xyPlane(
  all: readonly PlottedSeries[],
  { from, to, x: rightId, ys, width, height }: XyQuery,
): XyPlane | null {
  const right = all.find(({ id }) => id === rightId)?.points;
  const upwards = all.filter(({ id }) => ys.includes(id) && id !== rightId);
  if (right === undefined) {
    return null;
  }
  const pairsOf = (points: PointStore, take: (x: number, y: number) => void) => eachPair(right, points, from, to, take);
  const none: Extent = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
  let x: Extent = none;
  const extents = upwards.map(({ points }) => {
    let y: Extent = none;
    let pairs = 0;
    pairsOf(points, (one, other) => {
      pairs++;
      x = extended(x, one);
      y = extended(y, other);
    });
    return { y, pairs };
  });
  if (x.low > x.high) {
    return null;
  }
  const columnOf = placeIn(x, width);
  const curves = upwards.flatMap(({ id, points }, index): readonly XyCurve[] => {
    const { y, pairs } = extents[index] ?? { y: none, pairs: 0 };
    if (pairs === 0) {
      return [];
    }
    const rowOf = placeIn(y, height);
    const seen = new Uint8Array(width * height);
    const dots: number[] = [];
    pairsOf(points, (one, other) => {
      const dot = (height - 1 - rowOf(other)) * width + columnOf(one);
      if (seen[dot] === 0) {
        seen[dot] = 1;
        dots.push(dot);
      }
    });
    return [{ id, pairs, y, dots: Uint32Array.from(dots) }];
  });
  return { x, curves };
}

const extended = (extent: Extent, value: number): Extent =>
  value >= extent.low && value <= extent.high
    ? extent
    : { low: Math.min(extent.low, value), high: Math.max(extent.high, value) };

/** Returns a function from a value to its pixel. A constant value is in the middle. */
function placeIn({ low, high }: Extent, size: number): (value: number) => number {
  const factor = high > low ? (size - 1) / (high - low) : 0;
  return (value) => (factor === 0 ? size >> 1 : Math.round((value - low) * factor));
}
