/**
 * How the series of a plot are told apart: the first one of a port has the port's colour, others one of four more, and another dash
 * when these are used up.
 */
import type { SeriesLook } from '../../../../workbench/plot/plot-chart.ts';
import { plotStore } from './plot-store.ts';

const portColours = 4;
const moreColours = 4;
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [8, 3, 2, 3]];

/** The colours of the ports come first in the style sheet. @param id of a series that was noted. */
export function lookOf(id: number): SeriesLook {
  const { order } = plotStore.getState();
  const isFirst = (index: number) => order.findIndex(({ port }) => port === order[index]?.port) === index;
  const index = Math.max(
    0,
    order.findIndex((series) => series.id === id),
  );
  if (isFirst(index)) {
    return { colour: (order[index]?.port ?? 1) - 1, dash: [] };
  }
  const before = order.slice(0, index).filter((_series, other) => !isFirst(other)).length;
  return {
    colour: portColours + (before % moreColours),
    dash: dashes[Math.floor(before / moreColours) % dashes.length] ?? [],
  };
}
