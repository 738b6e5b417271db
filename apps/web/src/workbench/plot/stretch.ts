/** Time range shown by a plot, and operations that zoom and move it. */

/** Time range, in milliseconds since the Unix epoch. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Shortest range, in milliseconds: single points of a board that sends ten thousand in a second. */
const shortest = 1;

/**
 * Returns the range scaled around a fixed point.
 *
 * @param factor Below 1 zooms in, above 1 zooms out.
 * @param at Fixed point: 0 is the left edge, 1 the right edge.
 */
export function zoomed({ from, to }: Stretch, factor: number, at = 0.5): Stretch {
  const span = Math.max(shortest, (to - from) * factor);
  const fixed = from + (to - from) * at;
  return { from: fixed - span * at, to: fixed + span * (1 - at) };
}

/**
 * Returns the range scaled around a time in it, or around its middle.
 *
 * @param time Milliseconds since the Unix epoch. Null, or outside of the range: the middle.
 */
export function zoomedTo(range: Stretch, factor: number, time: number | null): Stretch {
  const isWithin = time !== null && time >= range.from && time <= range.to;
  return zoomed(range, factor, isWithin ? (time - range.from) / (range.to - range.from) : 0.5);
}

/**
 * Returns the range moved by a fraction of its length.
 *
 * @param share Fraction of the length. Negative: to the left.
 */
export function moved({ from, to }: Stretch, share: number): Stretch {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}
