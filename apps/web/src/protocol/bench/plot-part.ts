/** The plot of numbers in the log. */
import type { NumberFormat, PlotSeries, PlotWindow, PortNumber } from '@wirebench/serial';
import { type BenchPart, revision } from './fact.ts';

/** Numbers to plot. */
export interface PlotChoice {
  /** Null: all ports. */
  readonly port: PortNumber | null;
  readonly format: NumberFormat;
}

/** Shown part of the plot: a time range, or the newest `span` milliseconds. `span` null: the whole plot. */
export type PlotView = {
  /** In pixel columns. */
  readonly width: number;
  /** Ids of the hidden series. */
  readonly hidden: readonly number[];
} & ({ readonly from: number; readonly to: number } | { readonly from: null; readonly span: number | null });

export interface PlotPicture {
  readonly revision: number;
  readonly series: readonly PlotSeries[];
  /** Number of lines lost from the ring before they were read, because they came too fast. */
  readonly skippedLines: number;
  /** Number of lines that had left the ring before the plot began. */
  readonly missedLines: number;
  /** Number of series beyond those that a plot can have. */
  readonly leftOutSeries: number;
  /** True: some lines have more values than are read. */
  readonly hasCutLines: boolean;
  /** True: some lines with numbers are longer than those that are read. */
  readonly hasLongLines: boolean;
  /** True: some series has more different texts than are told apart. */
  readonly hasManyTexts: boolean;
  /** Milliseconds since the Unix epoch. Both are 0 for an empty plot. */
  readonly from: number;
  readonly to: number;
  readonly window: PlotWindow | null;
}

/** Calls for the plot. */
export interface PlotCalls {
  /** Starts a plot of these numbers. Null ends the plot. */
  plot(choice: PlotChoice | null): void;
  /** Returns null without a plot. */
  plotPicture(view: PlotView): PlotPicture | null;
}

export const plotPart = {
  quiet: ['plot', 'plotPicture'],
  facts: {
    /** Changes whenever the plot has changed. */
    plotRevision: revision,
  },
} satisfies BenchPart<PlotCalls>;
