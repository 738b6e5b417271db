/** Which of the series are drawn, and which stand in the legend. */
import type { PlotPicture } from '../../../../workbench/bench-protocol.ts';

/** From so many points on a number is a reading. With fewer it may be something that the board says when it starts. */
const regular = 5;

/**
 * Those that have points in what is shown: a number that came once is soon out of sight. Drawn are those that a person wants;
 * where they did not say, those that come regularly, or all where none does.
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
