/**
 * A cursor of a plot stands at a line, because lines are what a log and a plot have in common. It is found by time, by line, or by steps
 * from line to line, and has the values of the curves there.
 */
import type { PlottedSeries, PointStore } from './point-store.ts';

/** Place of a cursor: the line with a point nearest to a time, a line, or the line with a point before or after a line. */
export type PlotCursorQuery =
  /** Milliseconds since the Unix epoch. */
  | { readonly at: number }
  /** @param at Time of a line without a point; NaN: unknown. */
  | { readonly sequence: number; readonly at: number }
  | { readonly sequence: number; readonly step: 1 | -1 };

export interface PlotCursor {
  /** Sequence number of the line. */
  readonly sequence: number;
  /** Place on the axis of time, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Newest value of each series up to the line, by ID. A series without a value there is missing. */
  readonly values: ReadonlyMap<number, number>;
}

/**
 * Finds the place of a cursor. Returns null if no line with a point is there.
 *
 * @param near IDs of the series whose points are looked for. Values are those of all series.
 */
export function plotCursor(
  all: readonly PlottedSeries[],
  query: PlotCursorQuery,
  near: readonly number[],
): PlotCursor | null {
  const stores = all.filter(({ id }) => near.includes(id)).map(({ points }) => points);
  const place =
    'step' in query ? steppedTo(stores, query) : 'sequence' in query ? lineOf(all, query) : nearestTo(stores, query.at);
  return place === null ? null : { ...place, values: valuesAt(all, place.sequence) };
}

interface Place {
  readonly sequence: number;
  readonly at: number;
}

const placeOf = (points: PointStore, point: number): Place => ({
  sequence: points.sequenceOf(point),
  at: points.timeOf(point),
});

function nearestTo(stores: readonly PointStore[], at: number): Place | null {
  let nearest: Place | null = null;
  for (const points of stores) {
    const after = points.pointAt(at);
    for (const point of [after - 1, after]) {
      if (point >= points.first && point < points.end) {
        const place = placeOf(points, point);
        nearest = nearest === null || Math.abs(place.at - at) < Math.abs(nearest.at - at) ? place : nearest;
      }
    }
  }
  return nearest;
}

/** Returns the place of a line. One without a point is at its time, or else at that of the newest point before it. */
function lineOf(all: readonly PlottedSeries[], { sequence, at }: Place): Place | null {
  let before = Number.NEGATIVE_INFINITY;
  for (const { points } of all) {
    const point = points.pointAtSequence(sequence);
    if (point < points.end && points.sequenceOf(point) === sequence) {
      return placeOf(points, point);
    }
    before = Math.max(before, point > points.first ? points.timeOf(point - 1) : before);
  }
  const known = Number.isNaN(at) ? before : at;
  return Number.isFinite(known) ? { sequence, at: known } : null;
}

function steppedTo(
  stores: readonly PointStore[],
  { sequence, step }: { readonly sequence: number; readonly step: 1 | -1 },
): Place | null {
  let next: Place | null = null;
  for (const points of stores) {
    const point = step === 1 ? points.pointAtSequence(sequence + 1) : points.pointAtSequence(sequence) - 1;
    if (point >= points.first && point < points.end) {
      const place = placeOf(points, point);
      next = next === null || (place.sequence - next.sequence) * step < 0 ? place : next;
    }
  }
  return next;
}

function valuesAt(all: readonly PlottedSeries[], sequence: number): Map<number, number> {
  const values = new Map<number, number>();
  for (const { id, points } of all) {
    const after = points.pointAtSequence(sequence + 1);
    const point = after - 1;
    if (point < points.first) {
      continue;
    }
    // A reading without a value came after the point: before this line, or behind it.
    const isBroken = after < points.end ? points.gapBefore(after) : points.inGap;
    if (!isBroken || points.sequenceOf(point) === sequence) {
      values.set(id, points.valueOf(point));
    }
  }
  return values;
}
