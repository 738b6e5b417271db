/** A stretch of time that a plot shows, and another one beside it or within it. */

/** In milliseconds since the Unix epoch. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Shortest stretch that is shown, in milliseconds. */
const shortest = 5;

/** @param factor below 1 to see less, in more detail. @param at where it is seen best, 0 for the left edge, 1 for the right. */
export function zoomed({ from, to }: Stretch, factor: number, at = 0.5): Stretch {
  const span = Math.max(shortest, (to - from) * factor);
  const fixed = from + (to - from) * at;
  return { from: fixed - span * at, to: fixed + span * (1 - at) };
}

/** @param share of the stretch, to the left below 0. */
export function moved({ from, to }: Stretch, share: number): Stretch {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}
