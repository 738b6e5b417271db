/** How the series of a plot are told apart: eight colours of the theme, and another dash when these are used up. */

import { plotStore } from './plot-store.ts';

const colourCount = 8;
const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [8, 3, 2, 3]];

export interface SeriesLook {
  /** From 0; the style sheet has the colours. */
  readonly colour: number;
  /** Lengths in px, drawn and left out in turn; none for a solid line. */
  readonly dash: readonly number[];
}

/** @param id of a series that was noted. */
export function lookOf(id: number): SeriesLook {
  const series = Math.max(0, plotStore.getState().order.indexOf(id));
  return { colour: series % colourCount, dash: dashes[Math.floor(series / colourCount) % dashes.length] ?? [] };
}
