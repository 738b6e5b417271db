/** Ranges of value axes: kept for a curve, they apply to the lane that it names. */
import { readDecimal } from '../../panels/number-field.tsx';
import { type Scale, scaleFor } from './lanes.ts';

/** `grows`: everything that was shown since it was chosen; it never shrinks. `own`: from `low` to `high`. */
export interface ValueRange extends Scale {
  readonly kind: 'grows' | 'own';
}

/** Zoom factor of a wheel step, of a key and of a button. */
export const zoomStep = 1.25;
/** Shortest range, as a part of the largest number in it: doubles have about 16 digits. */
const shortest = 1e-12;
/** Ends beyond which an axis has no numbers for the marks. */
const largest = 1e300;

/**
 * Returns the scale of a lane whose shown values are between two bounds.
 *
 * @param range Null: the scale follows the values.
 */
export function laneScale(range: ValueRange | null, { low, high }: Scale): Scale {
  if (range?.kind === 'own') {
    return { low: range.low, high: range.high };
  }
  return range === null ? scaleFor(low, high) : scaleFor(Math.min(low, range.low), Math.max(high, range.high));
}

/** Returns the range with the shown values taken in; the same one if it has them already. */
export function grownRange(range: ValueRange, { low, high }: Scale): ValueRange {
  const isWithin = !(low < range.low) && !(high > range.high);
  return range.kind === 'own' || isWithin
    ? range
    : { kind: 'grows', low: Math.min(low, range.low), high: Math.max(high, range.high) };
}

/** A range that has shown nothing yet. */
export const emptyGrowing: ValueRange = {
  kind: 'grows',
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
};

/**
 * Zooms a scale about a fixed value. Returns null for a scale that numbers cannot express.
 *
 * @param factor Below 1 zooms in, above 1 zooms out.
 * @param at Fixed place: 0 is the lower end, 1 the upper one.
 */
export function zoomedRange({ low, high }: Scale, factor: number, at = 0.5): ValueRange | null {
  const fixed = low + (high - low) * at;
  return ownRange(fixed - (fixed - low) * factor, fixed + (high - fixed) * factor);
}

/** Returns a range with two ends, or null if numbers cannot express its parts. */
export function ownRange(low: number, high: number): ValueRange | null {
  const size = Math.max(Math.abs(low), Math.abs(high));
  return high - low > size * shortest && size <= largest ? { kind: 'own', low, high } : null;
}

/** Reads the two ends that a person gave. Returns a sentence if they are no range. */
export function readRange(from: string, to: string): ValueRange | string {
  const [low, high] = [readDecimal(from), readDecimal(to)];
  if (low === null || high === null) {
    return 'Enter two numbers, such as 20 and 30.5.';
  }
  return ownRange(low, high) ?? 'Enter a lower number first, then a higher one.';
}
