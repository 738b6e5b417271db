/** The plot of numbers in the log. */
import type {
  NumberFormat,
  PlotCursor,
  PlotCursorQuery,
  PlotSeries,
  PlotWindow,
  PortNumber,
  XyPlane,
  XyQuery,
} from '@wirebench/serial';
import type { FiguresQuery, SeriesFigures } from '@wirebench/serial/figures';
import type { SeriesSpectrum, SpectraQuery } from '@wirebench/serial/spectrum';
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
  /** A value that lines with curves have and no curve has, as it stands there; empty without one. */
  readonly leftOutValue: string;
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

/** Series over another one: everything but the range of time, which the view has. */
export type PlaneQuery = Omit<XyQuery, 'from' | 'to'>;

/** Window of the spectra, and the rates that a person gave by series. */
export type SpectraChoice = Pick<SpectraQuery, 'window' | 'rates'>;

/** Calls for the plot. */
export interface PlotCalls {
  /** Starts a plot of these numbers. Null ends the plot. */
  plot(choice: PlotChoice | null): void;
  /** Returns null without a plot. */
  plotPicture(view: PlotView): PlotPicture | null;
  /**
   * Finds the place of a cursor. Returns null without a plot, or if no line is there.
   *
   * @param near Ids of the series whose points are looked for.
   */
  plotCursor(query: PlotCursorQuery, near: readonly number[]): PlotCursor | null;
  /** Returns the figures of a range. Null: there is no plot, or a newer range was asked for. */
  plotFigures(query: FiguresQuery): readonly SeriesFigures[] | null;
  /** Returns the spectra of the shown part, or the reasons for which there are none. */
  plotSpectra(view: PlotView, choice: SpectraChoice): readonly SeriesSpectrum[];
  /** Returns the shown part as curves over another one. Null: no line has values of both. */
  plotPlane(view: PlotView, query: PlaneQuery): XyPlane | null;
}

export const plotPart = {
  quiet: ['plot', 'plotPicture', 'plotCursor', 'plotFigures', 'plotSpectra', 'plotPlane'],
  facts: {
    /** Changes whenever the plot has changed. */
    plotRevision: revision,
  },
} satisfies BenchPart<PlotCalls>;
