/**
 * The plot that the page shows. It reads lines while a page watches it, and returns the requested stretch of time.
 * The engine (`@wirebench/serial`) owns the numbers and thins them out.
 */
import type { Clock } from '@wirebench/clock';
import type { Bench, Plot, PlotCursor, PlotCursorQuery, XyPlane } from '@wirebench/serial';
import type { FiguresQuery, SeriesFigures } from '@wirebench/serial/figures';
import type { SeriesSpectrum } from '@wirebench/serial/spectrum';
import type { PlaneQuery, PlotChoice, PlotPicture, PlotView, SpectraChoice } from '../../protocol/bench/plot-part.ts';
import type { PortNames } from '../../protocol/bench/port-part.ts';

export interface PlotWorkerParts {
  readonly bench: Bench;
  readonly clock: Clock;
  /** Called when more points are available. */
  readonly onProgress: () => void;
}

export class PlotWorker {
  readonly #parts: PlotWorkerParts;
  #plot: Plot | null = null;
  #run: AbortController | null = null;
  #revision = 0;
  /** Counts requests for figures. Only the newest is answered. */
  #figuresAsked = 0;

  constructor(parts: PlotWorkerParts) {
    this.#parts = parts;
  }

  /** Changes whenever the plot has changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Starts a plot of the lines in the ring and of all later lines. Null ends the plot and discards its points. */
  choose(choice: PlotChoice | null): void {
    this.#run?.abort();
    this.#run = null;
    const { bench } = this.#parts;
    this.#plot =
      choice === null
        ? null
        : bench.plot({ format: choice.format, ...(choice.port !== null && { ports: [choice.port] }) });
    this.#changed();
    this.advance();
  }

  /** True while a page watches a plot. */
  get running(): boolean {
    return this.#plot !== null;
  }

  /** Reads the lines that were not read yet, unless a read is running. */
  advance(): void {
    const plot = this.#plot;
    if (plot !== null && this.#run === null && !plot.complete) {
      const run = new AbortController();
      this.#run = run;
      void this.#read(plot, run);
    }
  }

  /** @param view Time range to return, or the length of the newest range. */
  picture(view: PlotView): PlotPicture | null {
    const plot = this.#plot;
    if (plot === null) {
      return null;
    }
    const { series } = plot;
    const facts = {
      revision: this.#revision,
      series,
      skippedLines: plot.skippedLines,
      missedLines: plot.missedLines,
      leftOutSeries: plot.leftOutSeries,
      leftOutValue: plot.leftOutValue,
      hasCutLines: plot.hasCutLines,
      hasLongLines: plot.hasLongLines,
      hasManyTexts: plot.hasManyTexts,
    };
    if (series.length === 0) {
      return { ...facts, from: 0, to: 0, window: null };
    }
    const { from, to } = stretchOf(view, series);
    const shown = series.map(({ id }) => id).filter((id) => !view.hidden.includes(id));
    return { ...facts, from, to, window: plot.window({ from, to, width: view.width, series: shown }) };
  }

  /** Reads figures in slices, between which pictures have their turn. */
  async figures(query: FiguresQuery): Promise<readonly SeriesFigures[] | null> {
    const turn = ++this.#figuresAsked;
    const plot = this.#plot;
    const { figuresOf } = await import('@wirebench/serial/figures');
    if (plot === null) {
      return null;
    }
    const steps = figuresOf(plot.curves, query);
    let pauseAt = this.#parts.clock.now() + figuresTurn;
    for (;;) {
      if (turn !== this.#figuresAsked || plot !== this.#plot) {
        return null;
      }
      const step = steps.next();
      if (step.done === true) {
        return step.value;
      }
      if (this.#parts.clock.now() >= pauseAt) {
        await this.#parts.clock.sleep(0);
        pauseAt = this.#parts.clock.now() + figuresTurn;
      }
    }
  }

  async spectra(view: PlotView, choice: SpectraChoice): Promise<readonly SeriesSpectrum[]> {
    const { spectraOf } = await import('@wirebench/serial/spectrum');
    const plot = this.#plot;
    const series = plot?.series ?? [];
    if (plot === null || series.length === 0) {
      return [];
    }
    const shown = series.map(({ id }) => id).filter((id) => !view.hidden.includes(id));
    return spectraOf(plot.curves, { ...stretchOf(view, series), width: view.width, series: shown, ...choice });
  }

  plane(view: PlotView, query: PlaneQuery): XyPlane | null {
    const plot = this.#plot;
    const series = plot?.series ?? [];
    return plot === null || series.length === 0 ? null : plot.plane({ ...stretchOf(view, series), ...query });
  }

  cursor(query: PlotCursorQuery, near: readonly number[]): PlotCursor | null {
    return this.#plot?.cursor(query, near) ?? null;
  }

  exportCsv(portNames: PortNames): Generator<Uint8Array<ArrayBuffer>, void> | null {
    return this.#plot?.exportCsv(portNames) ?? null;
  }

  async #read(plot: Plot, run: AbortController): Promise<void> {
    const pause = () => {
      this.#changed();
      return this.#parts.clock.sleep(0);
    };
    try {
      await plot.run(pause, run.signal);
    } catch (error) {
      if (!run.signal.aborted) {
        throw error;
      }
    }
    if (this.#run === run) {
      this.#run = null;
      this.#changed();
    }
  }

  #changed(): void {
    this.#revision++;
    this.#parts.onProgress();
  }
}

/** Time for which figures are read between two pauses, in milliseconds: a part of a screen's frame. */
const figuresTurn = 4;
/** Shortest range that is shown, in milliseconds. A plot of one moment would have no width. */
const shortest = 1;

/**
 * Returns the time range of a view. The newest range ends at the newest point, rounded up to a whole column. Points
 * therefore keep their columns between pictures, and a curve does not flicker.
 */
function stretchOf(view: PlotView, series: Plot['series']): { from: number; to: number } {
  const newest = Math.max(...series.map(({ to }) => to));
  if (view.from !== null) {
    return { from: view.from, to: Math.max(view.to, view.from + shortest) };
  }
  const oldest = Math.min(...series.map(({ from }) => from));
  // All points: two columns more, because the range ends up to one column behind the newest point.
  const span = Math.max(shortest, view.span ?? (newest - oldest) * (1 + 2 / view.width));
  const column = span / view.width;
  const to = (Math.floor(newest / column) + 1) * column;
  return { from: to - span, to };
}
