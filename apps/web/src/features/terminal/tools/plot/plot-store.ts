/** Plotted numbers and the shown time range. Kept until the page is closed. */
import type { PlotCursor, PortNumber } from '@wirebench/serial';
import type { SpectrumWindow } from '@wirebench/serial/spectrum';
import type { PlotChoice } from '../../../../protocol/bench/plot-part.ts';
import { pageStore } from '../../../../shared/page-store.ts';
import type { Stretch } from '../../../../workbench/plot/stretch.ts';
import { noteCurves } from '../drawn-curves.ts';
import type { LaneMode } from './lanes.ts';
import { emptyGrowing, type ValueRange } from './value-range.ts';

/** A series that has been shown, with its port. */
interface NotedSeries {
  readonly id: number;
  readonly port: PortNumber;
}

/** A series by its name. */
interface NamedSeries {
  readonly port: PortNumber;
  readonly name: string;
}

/** Cursors of a plot. B stands with A only. */
export interface PlotCursors {
  readonly a: PlotCursor | null;
  readonly b: PlotCursor | null;
  /** The one that the arrow keys move. */
  readonly moved: 'a' | 'b';
}

/** Curves over time, their spectra, or curves over another one. */
export type PlotLook = 'time' | 'spectrum' | 'xy';

/** Look of the spectra. */
export interface SpectrumLook {
  readonly window: SpectrumWindow;
  /** `db`: decibels of 1 unit. */
  readonly scale: 'amplitude' | 'db';
}

interface PlotState {
  readonly choice: PlotChoice;
  /** Length of the live range, in milliseconds. Null: all points. */
  readonly span: number | null;
  /** Range shown while the plot is paused. Null: the plot is live. */
  readonly held: Stretch | null;
  readonly look: PlotLook;
  /** Series to the right of an XY plot. Null: the first one that is drawn. */
  readonly right: number | null;
  readonly spectrum: SpectrumLook;
  /** Sampling rates that the user gave, in Hz, by port and name of a curve (`rateKey`). Other numbers keep them. */
  readonly rates: Readonly<Record<string, number>>;
  /** Ranges of value axes, by port and name of a curve (`rateKey`). Other numbers keep them. Missing: it follows the values. */
  readonly ranges: Readonly<Record<string, ValueRange>>;
  readonly mode: LaneMode;
  /** Curves that the user has joined in a lane, by series id. */
  readonly groups: readonly (readonly number[])[];
  readonly cursors: PlotCursors;
  /** The user's choice by series id. True: shown. Missing: no choice made. */
  readonly wanted: Readonly<Record<number, boolean>>;
  /** True: only series that the user chose are shown. */
  readonly isOnly: boolean;
  /** Series that are shown as soon as they are there. */
  readonly asked: readonly NamedSeries[];
  /** Ids of known series by port and name (`rateKey`). */
  readonly ids: Readonly<Record<string, number>>;
  /** Series in the order of their first appearance, which determines their colours. */
  readonly order: readonly NotedSeries[];
}

const noCursors: PlotCursors = { a: null, b: null, moved: 'a' };

const plotStore = pageStore<PlotState>({
  choice: { port: null, format: 'any' },
  span: 30_000,
  held: null,
  look: 'time',
  right: null,
  spectrum: { window: 'hann', scale: 'db' },
  rates: {},
  ranges: {},
  mode: 'auto',
  groups: [],
  cursors: noCursors,
  wanted: {},
  isOnly: false,
  asked: [],
  ids: {},
  order: [],
});

export const { getState: plotNow, subscribe: onPlotChange } = plotStore;

export const usePlot = plotStore.use;

/** Changes the plotted numbers. Resets range, lanes and cursors, because other numbers have other series. */
export function choosePlot(change: Partial<PlotChoice>): void {
  const chosen = { wanted: {}, isOnly: false, asked: [], ids: {}, order: [] };
  const none = { held: null, ...chosen, groups: [], cursors: noCursors, right: null };
  plotStore.setState(({ choice }) => ({ choice: { ...choice, ...change }, ...none }));
}

export function setSpan(span: number | null): void {
  plotStore.setState({ span, held: null });
}

/** Pauses the plot at a range. Null goes live. */
export function holdPlot(held: Stretch | null): void {
  plotStore.setState({ held });
}

/** Shows a series over time, now or as soon as it is there. The first one that is asked for is shown alone. */
export function askSeries(asked: NamedSeries): void {
  const { port } = plotStore.getState().choice;
  if (port !== null && port !== asked.port) {
    choosePlot({ port: asked.port });
  }
  plotStore.setState(({ wanted, isOnly, asked: before, ids }) => {
    const id = ids[rateKey(asked)];
    const isFirst = before.length === 0 && Object.keys(wanted).length === 0;
    return {
      look: 'time',
      isOnly: isOnly || isFirst,
      ...(id === undefined ? { asked: [...before, asked] } : { wanted: { ...wanted, [id]: true } }),
    };
  });
  countAsked();
}

/** Hides a series that was asked for. Without any, all are shown as before the first one. */
export function dropSeries(dropped: NamedSeries): void {
  plotStore.setState(({ wanted, isOnly, asked, ids }) => {
    const id = ids[rateKey(dropped)];
    const left = asked.filter((one) => rateKey(one) !== rateKey(dropped));
    const next = id === undefined ? wanted : { ...wanted, [id]: false };
    const isEmpty = isOnly && left.length === 0 && !Object.values(next).includes(true);
    return isEmpty ? { asked: [], wanted: {}, isOnly: false } : { asked: left, wanted: next };
  });
  countAsked();
}

/** Returns true for a series that was asked for, or chosen in the plot. */
export function isAsked(
  { asked, ids, wanted }: Pick<PlotState, 'asked' | 'ids' | 'wanted'>,
  series: NamedSeries,
): boolean {
  const id = ids[rateKey(series)];
  return (id !== undefined && wanted[id] === true) || asked.some((one) => rateKey(one) === rateKey(series));
}

/** The number beside the plot's tab, while the plot itself does not count. */
function countAsked(): void {
  const { asked, wanted, isOnly } = plotStore.getState();
  noteCurves(isOnly ? asked.length + Object.values(wanted).filter(Boolean).length : 0);
}

/** Adds new series. Known series keep their colour. */
export function noteSeries(series: readonly (NotedSeries & NamedSeries)[]): void {
  const { order, asked, ids } = plotStore.getState();
  const found = asked.flatMap((one) => {
    const known = series.find(({ port, name }) => port === one.port && name === one.name);
    return known === undefined ? [] : [known];
  });
  if (found.length > 0) {
    plotStore.setState(({ wanted }) => ({
      asked: asked.filter((one) => !found.some((known) => rateKey(known) === rateKey(one))),
      wanted: { ...wanted, ...Object.fromEntries(found.map(({ id }) => [id, true])) },
    }));
  }
  if (series.some((one) => ids[rateKey(one)] !== one.id)) {
    plotStore.setState({ ids: { ...ids, ...Object.fromEntries(series.map((one) => [rateKey(one), one.id])) } });
  }
  const fresh = series.flatMap(({ id, port }) => (order.some((known) => known.id === id) ? [] : [{ id, port }]));
  if (fresh.length > 0) {
    plotStore.setState({ order: [...order, ...fresh] });
  }
}

/** Chooses lanes or one axis. Lanes that were joined are parted by the choice of one axis. */
export function setMode(mode: LaneMode): void {
  plotStore.setState(({ groups }) => ({ mode, groups: mode === 'one' ? [] : groups }));
}

export function setLook(look: PlotLook): void {
  plotStore.setState({ look });
}

export function setRight(right: number): void {
  plotStore.setState({ right });
}

export function setSpectrum(change: Partial<SpectrumLook>): void {
  plotStore.setState(({ spectrum }) => ({ spectrum: { ...spectrum, ...change } }));
}

export const rateKey = ({ port, name }: NamedSeries): string => `${port} ${name}`;

/** Sets the sampling rate of a curve, in Hz. Null: it is estimated again. */
export function setRate(series: NamedSeries, rate: number | null): void {
  plotStore.setState(({ rates }) => {
    const { [rateKey(series)]: _before, ...others } = rates;
    return { rates: rate === null ? others : { ...others, [rateKey(series)]: rate } };
  });
}

/** Sets the range of a curve's value axis. Null: it follows the values. */
export function setRange(series: NamedSeries, range: ValueRange | 'grows' | null): void {
  plotStore.setState(({ ranges }) => {
    const { [rateKey(series)]: _before, ...others } = ranges;
    return {
      ranges: range === null ? others : { ...others, [rateKey(series)]: range === 'grows' ? emptyGrowing : range },
    };
  });
}

/** Sets the curves that share lanes. */
export function setGroups(groups: readonly (readonly number[])[]): void {
  plotStore.setState({ mode: 'lanes', groups });
}

/** Places or removes a cursor. B goes with A. */
export function placeCursor(name: 'a' | 'b', cursor: PlotCursor | null): void {
  plotStore.setState(({ cursors }) => {
    const placed = { ...cursors, [name]: cursor };
    const b = placed.a === null ? null : placed.b;
    return { cursors: { a: placed.a, b, moved: b === null ? 'a' : cursor === null ? 'a' : name } };
  });
}

export function showSeries(id: number, shown: boolean): void {
  plotStore.setState(({ wanted }) => ({ wanted: { ...wanted, [id]: shown } }));
}
