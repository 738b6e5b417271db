/**
 * Colours and dashes of the series. The first series of a port has the port's colour. Others get one of four more
 * colours, then other dash patterns.
 */
import type { SeriesLook } from '../../../../workbench/plot/plot-chart.ts';
import { plotNow } from './plot-store.ts';

const portColours = 4;
const moreColours = 4;
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [8, 3, 2, 3]];

/**
 * Returns colour and dash of a series. The port colours are the first in the style sheet.
 *
 * @param id Id of a series passed to `noteSeries` before.
 */
export function lookOf(id: number): SeriesLook {
  const { order } = plotNow();
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
