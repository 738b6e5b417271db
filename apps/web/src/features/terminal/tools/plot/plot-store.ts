/** Plotted numbers and the shown time range. Kept until the page is closed. */
import type { PortNumber } from '@wirebench/serial';
import type { PlotChoice } from '../../../../protocol/bench/plot-part.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';

/** A series that has been shown, with its port. */
interface NotedSeries {
  readonly id: number;
  readonly port: PortNumber;
}

interface PlotState {
  readonly choice: PlotChoice;
  /** Length of the live range, in milliseconds. Null: all points. */
  readonly span: number | null;
  /** Range shown while the plot is paused. Null: the plot is live. */
  readonly held: Stretch | null;
  /** True: each curve has its own scale, so that large values do not flatten the others. */
  readonly ownScales: boolean;
  /** The user's choice by series id. True: shown. Missing: no choice made. */
  readonly wanted: Readonly<Record<number, boolean>>;
  /** Series in the order of their first appearance, which determines their colours. */
  readonly order: readonly NotedSeries[];
}

const plotStore = pageStore<PlotState>({
  choice: { port: null, format: 'any' },
  span: 30_000,
  held: null,
  ownScales: false,
  wanted: {},
  order: [],
});

export const { getState: plotNow, subscribe: onPlotChange } = plotStore;

export const usePlot = plotStore.use;

/** Changes the plotted numbers. Resets range and choices, because other numbers have other series. */
export function choosePlot(change: Partial<PlotChoice>): void {
  plotStore.setState(({ choice }) => ({ choice: { ...choice, ...change }, held: null, wanted: {}, order: [] }));
}

export function setSpan(span: number | null): void {
  plotStore.setState({ span, held: null });
}

/** Pauses the plot at a range. Null goes live. */
export function holdPlot(held: Stretch | null): void {
  plotStore.setState({ held });
}

/** Adds new series. Known series keep their colour. */
export function noteSeries(series: readonly NotedSeries[]): void {
  const { order } = plotStore.getState();
  const fresh = series.flatMap(({ id, port }) => (order.some((known) => known.id === id) ? [] : [{ id, port }]));
  if (fresh.length > 0) {
    plotStore.setState({ order: [...order, ...fresh] });
  }
}

export function setOwnScales(ownScales: boolean): void {
  plotStore.setState({ ownScales });
}

export function showSeries(id: number, shown: boolean): void {
  plotStore.setState(({ wanted }) => ({ wanted: { ...wanted, [id]: shown } }));
}
