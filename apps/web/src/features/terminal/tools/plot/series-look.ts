/**
 * How the series of a plot are told apart: the first one of a port has the port's colour, others one of four more, and another dash
 * when these are used up.
 */
import { plotStore } from './plot-store.ts';

const portColours = 4;
const moreColours = 4;
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [8, 3, 2, 3]];

export interface SeriesLook {
  /** From 0; the style sheet has the colours, those of the ports first. */
  readonly colour: number;
  /** Lengths in px, drawn and left out in turn; none for a solid line. */
  readonly dash: readonly number[];
}

/** @param id of a series that was noted. */
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
