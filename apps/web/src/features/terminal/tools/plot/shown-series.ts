/** Selects the series for the legend and for drawing. */
import type { PlotSeries } from '@wirebench/serial';
import type { PlotPicture } from '../../../../protocol/bench/plot-part.ts';

/** Minimum number of points of a regular series. Numbers with fewer points may be startup messages of the board. */
const regular = 5;
/** Most curves that are drawn without being chosen: lanes that can be told apart in a window of 1,024 × 768. */
const mostUnasked = 8;

/**
 * Returns the series with points in the shown range, for the legend. `shown` is true for series to draw: those the
 * user chose. Without a choice, and unless only chosen ones are wanted, the first regular series are drawn, or the first of all if no series is regular.
 */
export function shownSeries(
  { series, from, to }: Pick<PlotPicture, 'series' | 'from' | 'to'>,
  { wanted, isOnly }: { readonly wanted: Readonly<Record<number, boolean>>; readonly isOnly: boolean },
) {
  const someAreRegular = series.some(({ points }) => points >= regular);
  let unasked = 0;
  return series
    .filter((one) => one.from < to && one.to >= from)
    .map((one) => {
      const isUnasked = wanted[one.id] === undefined && (!someAreRegular || one.points >= regular);
      unasked += isUnasked ? 1 : 0;
      return { ...one, shown: wanted[one.id] ?? (!isOnly && isUnasked && unasked <= mostUnasked) };
    });
}

/** Returns the curves whose name and unit contain each word of a search, in any case. An empty search finds all. */
export function foundCurves<Series extends Pick<PlotSeries, 'name' | 'unit'>>(
  all: readonly Series[],
  search: string,
): readonly Series[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((one) => {
    const text = `${one.name} ${one.unit}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
