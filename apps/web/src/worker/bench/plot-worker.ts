/**
 * The plot that the page shows. It reads lines while a page watches it, and returns the requested stretch of time.
 * The engine (`@wirebench/serial`) owns the numbers and thins them out.
 */
import type { Clock } from '@wirebench/clock';
import type { Bench, Plot } from '@wirebench/serial';
import type { PlotChoice, PlotPicture, PlotView, PortNames } from '../../protocol/bench-protocol.ts';

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

  constructor(parts: PlotWorkerParts) {
    this.#parts = parts;
  }

  /** Another number whenever there is something else to be seen. */
  get revision(): number {
    return this.#revision;
  }

  /** Reads what is there already and all that comes, by `choice`; null ends it and gives the points up. */
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

  /** True while numbers are read and a page watches them. */
  get running(): boolean {
    return this.#plot !== null;
  }

  /** Reads what has not been read yet, unless that goes on already. */
  advance(): void {
    const plot = this.#plot;
    if (plot !== null && this.#run === null && !plot.complete) {
      const run = new AbortController();
      this.#run = run;
      void this.#read(plot, run);
    }
  }

  /** @param view of what there is: a stretch of time, or the newest of it. */
  picture(view: PlotView): PlotPicture | null {
    const plot = this.#plot;
    if (plot === null) {
      return null;
    }
    const { series, skippedLines } = plot;
    const facts = { revision: this.#revision, series, skippedLines };
    if (series.length === 0) {
      return { ...facts, from: 0, to: 0, window: null };
    }
    const { from, to } = stretchOf(view, series);
    const shown = series.map(({ id }) => id).filter((id) => !view.hidden.includes(id));
    return { ...facts, from, to, window: plot.window({ from, to, width: view.width, series: shown }) };
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

/** Shortest stretch that is shown, in milliseconds: a plot of one moment has no width. */
const shortest = 1;

/**
 * The newest end stands where the newest point is. It moves by whole columns, so that the same points share a column from
 * one picture to the next and a curve does not flicker.
 */
function stretchOf(view: PlotView, series: Plot['series']): { from: number; to: number } {
  const newest = Math.max(...series.map(({ to }) => to));
  if (view.from !== null) {
    return { from: view.from, to: Math.max(view.to, view.from + shortest) };
  }
  const oldest = Math.min(...series.map(({ from }) => from));
  const span = Math.max(shortest, view.span ?? (newest - oldest) * 1.001);
  const column = span / view.width;
  const to = (Math.floor(newest / column) + 1) * column;
  return { from: to - span, to };
}
