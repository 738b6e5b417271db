/** Which numbers are plotted and which part of them is looked at, for as long as the page lives. */
import type { PortNumber } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PlotChoice } from '../../../../workbench/bench-protocol.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';

/** A series that has been shown, and whose it is. */
interface NotedSeries {
  readonly id: number;
  readonly port: PortNumber;
}

interface PlotState {
  readonly choice: PlotChoice;
  /** Milliseconds that are shown while the plot is live; null for all there are. */
  readonly span: number | null;
  /** What is looked at while the plot stands still; null while it is live. */
  readonly held: Stretch | null;
  /** Each curve has a scale of its own, so that a large one does not flatten the others. */
  readonly ownScales: boolean;
  /** By the id of a series, whether a person wants it shown; missing where they did not say. */
  readonly wanted: Readonly<Record<number, boolean>>;
  /** The series in the order in which they were first shown, which is the order of their colours. */
  readonly order: readonly NotedSeries[];
}

export const plotStore = createStore<PlotState>(() => ({
  choice: { port: null, format: 'any' },
  span: 30_000,
  held: null,
  ownScales: false,
  wanted: {},
  order: [],
}));

export function usePlot<Part>(select: (state: PlotState) => Part): Part {
  return useStore(plotStore, select);
}

/** Other numbers have other series. */
export function choosePlot(change: Partial<PlotChoice>): void {
  plotStore.setState(({ choice }) => ({ choice: { ...choice, ...change }, held: null, wanted: {}, order: [] }));
}

export function setSpan(span: number | null): void {
  plotStore.setState({ span, held: null });
}

/** Holds what is shown; null goes live again. */
export function holdPlot(held: Stretch | null): void {
  plotStore.setState({ held });
}

/** These series are there; what is there already keeps its colour. */
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
