/** Search among the curves of a plot, by names and units. */
import { titleOf } from './lane-heads.tsx';
import type { PlotFacts } from './plot-curves.tsx';

/** Returns the curves whose name and unit contain each word of a search, in any case. An empty search finds all. */
export function foundCurves<Series extends Pick<PlotFacts['series'][number], 'name' | 'unit'>>(
  all: readonly Series[],
  search: string,
): readonly Series[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((one) => {
    const text = `${one.name} ${titleOf(one).unit}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
