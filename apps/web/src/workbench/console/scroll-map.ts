/**
 * Converts between pixels of the scroll bar and pixels of the rows. They are equal up to the tallest element that a
 * browser lays out. For more rows the bar is scaled.
 */

/**
 * Maximum height of the spacer in px. Chromium lays out at most 2³¹ / 64 px, less a few for borders, and cuts taller
 * elements.
 */
export const tallestSpacer = 33_554_428;

export interface ScrollExtent {
  /** Number of rows in the log. */
  readonly total: number;
  /** Height of a row, in px. */
  readonly rowHeight: number;
  /** Height of the view, in px. */
  readonly viewport: number;
  /** Height below the view that something covers, in px. The rows can be scrolled out of it. Missing: 0. */
  readonly covered?: number;
}

/**
 * Returns the height of the spacer in whole px. Wrapped rows have fractional average heights, and a fractional scroll
 * position would blur the rows.
 */
export function spacerHeight({ total, rowHeight, covered = 0 }: ScrollExtent): number {
  return Math.min(Math.ceil(total * rowHeight) + covered, tallestSpacer);
}

/** Returns the maximum scroll position, in px of the rows. */
export function lastTop({ total, rowHeight, viewport }: ScrollExtent): number {
  return Math.max(0, total * rowHeight - viewport);
}

/** Returns the pixels of the rows for one pixel of the bar. 1 if the spacer is not cut. */
function scrollScale(extent: ScrollExtent): number {
  const barRange = spacerHeight(extent) - extent.viewport - (extent.covered ?? 0);
  return barRange <= 0 ? 1 : lastTop(extent) / barRange;
}

/** Converts a position of the bar to a position of the rows. */
export function topAt(scrollTop: number, extent: ScrollExtent): number {
  return Math.min(lastTop(extent), Math.max(0, scrollTop) * scrollScale(extent));
}

/** Converts a position of the rows to a position of the bar. */
export function scrollTopAt(top: number, extent: ScrollExtent): number {
  return Math.min(lastTop(extent), Math.max(0, top)) / scrollScale(extent);
}
