/** Selects the series for the legend and for drawing. */
import type { PlotPicture } from '../../../../protocol/bench/plot-part.ts';

/** Minimum number of points of a regular series. Numbers with fewer points may be startup messages of the board. */
const regular = 5;

/**
 * Returns the series with points in the shown range, for the legend. `shown` is true for series to draw: those the
 * user chose. Without a choice, regular series are drawn, or all if no series is regular.
 */
export function shownSeries(
  { series, from, to }: Pick<PlotPicture, 'series' | 'from' | 'to'>,
  wanted: Readonly<Record<number, boolean>>,
) {
  const someAreRegular = series.some(({ points }) => points >= regular);
  return series
    .filter((one) => one.from < to && one.to >= from)
    .map((one) => ({ ...one, shown: wanted[one.id] ?? (!someAreRegular || one.points >= regular) }));
}
