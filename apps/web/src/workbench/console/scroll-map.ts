/**
 * Between pixels of a scroll bar and pixels of the rows behind it. They are the same up to the tallest element that a
 * browser lays out; beyond, the bar stands for the rows in proportion.
 */

/** Chromium lays out at most 2³¹ / 64 px, less a few for borders: an element taller than this is cut. */
export const tallestSpacer = 33_554_428;

export interface ScrollExtent {
  /** Rows held. */
  readonly total: number;
  /** Height of a row, in px. */
  readonly rowHeight: number;
  /** Height of the visible part, in px. */
  readonly viewport: number;
}

/**
 * Height of the element that gives the scroll bar its length, in whole px: rows of wrapped lines have fractions of px on average, and
 * scrolled to one of those the rows would be blurred.
 */
export function spacerHeight({ total, rowHeight }: ScrollExtent): number {
  return Math.min(Math.ceil(total * rowHeight), tallestSpacer);
}

/** The furthest that the rows can be scrolled, in px of the rows. */
export function lastTop({ total, rowHeight, viewport }: ScrollExtent): number {
  return Math.max(0, total * rowHeight - viewport);
}

/** Pixels of the rows for one pixel of the bar: 1 as long as the rows fit an element. */
function scrollScale(extent: ScrollExtent): number {
  const barRange = spacerHeight(extent) - extent.viewport;
  return barRange <= 0 ? 1 : lastTop(extent) / barRange;
}

/** From the bar to the rows. */
export function topAt(scrollTop: number, extent: ScrollExtent): number {
  return Math.min(lastTop(extent), Math.max(0, scrollTop) * scrollScale(extent));
}

/** From the rows to the bar. */
export function scrollTopAt(top: number, extent: ScrollExtent): number {
  return Math.min(lastTop(extent), Math.max(0, top)) / scrollScale(extent);
}
