/**
 * Plots the numbers in received lines as curves. It reads the lines that a bench holds, in slices and after they were
 * received, so that reading a port never waits for it. If lines arrive faster than it can read them, it skips some
 * and counts them.
 */
import type { Clock } from '@wirebench/clock';
import { blockOf } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import type { PortNumber } from '../port-number.ts';
import { LabelBook } from './label-book.ts';
import { type NumberFormat, NumberLine } from './number-line.ts';
import { plotCsv } from './plot-csv.ts';
import { type PlotWindow, type PlotWindowQuery, plotWindow } from './plot-window.ts';
import { type PlottedSeries, PointRing } from './point-ring.ts';
import { isRestartLine } from './restart-line.ts';

export interface PlotOptions {
  /** Points kept of each series. Default: `defaultPoints`. */
  readonly points?: number;
  /** Newest existing lines of each port that are read first. Default: as many as points. */
  readonly history?: number;
  /** Ports to plot. Default: all. */
  readonly ports?: readonly PortNumber[];
  /** Form of the lines to read. Default: any. */
  readonly format?: NumberFormat;
}

/** One curve. Points and bounds are those held. */
export interface PlotSeries {
  /** Unique ID, counted from 0 in order of appearance. */
  readonly id: number;
  readonly port: PortNumber;
  /** Text before the number. For a column, `Column 2` or its name in a header. */
  readonly name: string;
  readonly points: number;
  /** The newest value; NaN while the newest reading is not a number. */
  readonly last: number;
  /** Times of the oldest and the newest point, in milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
}

const defaultPoints = 1 << 17;
/** Most series. A name that counts up would make one for each line. */
export const maxSeries = 32;
/** Most names and columns that are tracked to see whether they come again. */
const MAX_CANDIDATES = 256;
/**
 * Lines with a reading since the board's last start from which it becomes a curve. The number depends on the form:
 * columns, names in a line with readings only, and names in a line with other text. A boot log repeats a name of the
 * last form up to seven times (segments of an ESP32 app).
 */
const COLUMN_LINES = 2;
const PURE_LINES = 3;
const TEXT_LINES = 8;
/** Lines read in one step: about two milliseconds of work. */
const SLICE_LINES = 2_048;
/** Longest line with readings, in bytes. Longer lines are skipped. */
const LONGEST_LINE = 1_024;
/** Time that `run` works between two pauses, in milliseconds. */
const TURN = 8;

interface Reading {
  readonly channel: LineChannel;
  readonly port: PortNumber;
  readonly labels: LabelBook;
  /** Ordinal of the line to read next. */
  next: number;
}

export class Plot {
  readonly #clock: Clock;
  readonly #points: number;
  readonly #format: NumberFormat;
  readonly #line = new NumberLine();
  readonly #readings: readonly Reading[];
  /** Series by ID. */
  readonly #series = new Map<number, PlottedSeries>();
  #nextId = 0;
  #curveCount = 0;
  #skipped = 0;

  /** @param channels Received lines of ports. */
  constructor(
    clock: Clock,
    channels: readonly LineChannel[],
    { points = defaultPoints, history, ports, format = 'any' }: PlotOptions = {},
  ) {
    this.#clock = clock;
    this.#points = points;
    this.#format = format;
    this.#readings = channels.flatMap((channel) => {
      const { port } = channel.identity;
      if (port === null || !(ports?.includes(port) ?? true)) {
        return [];
      }
      const labels = new LabelBook((name) => this.#seriesNamed(port, name));
      return { channel, port, labels, next: Math.max(channel.firstLine, channel.endLine - (history ?? points)) };
    });
  }

  /** True if every line that has an end has been read. */
  get complete(): boolean {
    return this.#readings.every((reading) => reading.next >= endOf(reading.channel));
  }

  /** Number of skipped lines: they came too fast, or had left the ring. */
  get skippedLines(): number {
    return this.#skipped;
  }

  /** The series that occurred several times, in order of appearance. A number that occurred once is not a curve. */
  get series(): readonly PlotSeries[] {
    return this.#curves().map(({ id, port, name, points }) => ({
      id,
      port,
      name,
      points: points.end - points.first,
      last: points.inGap ? Number.NaN : points.valueOf(points.end - 1),
      from: points.timeOf(points.first),
      to: points.timeOf(points.end - 1),
    }));
  }

  /** Reads one more slice of each port. Returns false if nothing is left. */
  step(): boolean {
    for (const reading of this.#readings) {
      this.#read(reading);
    }
    return !this.complete;
  }

  /**
   * Steps until complete, and awaits `pause` in between so that other work gets its turn. Rejects with the reason of
   * an abort.
   */
  async run(pause: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    let turnEnds = this.#clock.now() + TURN;
    while (this.step()) {
      if (this.#clock.now() >= turnEnds) {
        await pause();
        signal?.throwIfAborted();
        turnEnds = this.#clock.now() + TURN;
      }
    }
  }

  /** Returns a span of time, thinned out for a screen. */
  window(query: PlotWindowQuery): PlotWindow {
    return plotWindow(this.#curves(), query);
  }

  /** Exports all held points as CSV, one column for each series. */
  exportCsv(portNames: Readonly<Partial<Record<PortNumber, string>>> = {}): Generator<Uint8Array<ArrayBuffer>, void> {
    return plotCsv(this.#curves(), portNames);
  }

  #curves(): readonly PlottedSeries[] {
    return [...this.#series.values()].filter(({ isCurve }) => isCurve);
  }

  #read(reading: Reading): void {
    const { channel } = reading;
    const end = endOf(channel);
    const from = Math.max(reading.next, channel.firstLine, end - this.#points);
    this.#skipped += from - reading.next;
    const to = Math.min(from + SLICE_LINES, end);
    reading.next = Math.max(from, to);
    if (from >= to) {
      return;
    }
    const block = blockOf(channel, from, to);
    for (let line = from; line < to; line++) {
      const start = block.startOf(line);
      const lineEnd = block.endOf(line);
      if (lineEnd - start <= LONGEST_LINE) {
        const textEnd = lineEnd - block.endingOf(line);
        this.#readLine(reading, block.bytes, block.textStartOf(line), textEnd, line);
      }
    }
  }

  #readLine({ channel, labels, port }: Reading, bytes: Uint8Array, from: number, to: number, ordinal: number): void {
    if (isRestartLine(bytes, from, to)) {
      this.#startAgain(port);
      return;
    }
    const line = this.#line;
    line.read(bytes, from, to, this.#format);
    if (line.count + line.gapCount === 0) {
      labels.skip(bytes, from, to);
      return;
    }
    const sequence = channel.sequenceOf(ordinal);
    const known = channel.timeOf(ordinal);
    // Lines of an opened log may have no times. Their order is drawn, as if each took a millisecond.
    const time = Number.isNaN(known) ? sequence : known;
    const needed = !line.labelled ? COLUMN_LINES : line.pure ? PURE_LINES : TEXT_LINES;
    const ids = labels.seriesOf(line);
    for (let index = 0; index < ids.length; index++) {
      const value = line.values[index] as number;
      const series = this.#series.get(ids[index] as number);
      if (series !== undefined && Number.isNaN(value)) {
        series.points.breakHere();
      } else if (series !== undefined) {
        series.points.push(time, value, sequence);
        this.#count(series, needed);
      }
    }
  }

  /** Counts one more line with a reading of the series. */
  #count(series: PlottedSeries, needed: number): void {
    series.lines++;
    if (!series.isCurve && series.lines >= needed && this.#curveCount < maxSeries) {
      series.isCurve = true;
      this.#curveCount++;
    }
  }

  /** Restarts the counts of a board's lines: readings from before a start do not make a curve. */
  #startAgain(port: PortNumber): void {
    for (const series of this.#series.values()) {
      if (series.port === port) {
        series.lines = 0;
      }
    }
  }

  /**
   * Returns the ID of the series with this name, and creates it if necessary. A full table first drops the series
   * that are not curves.
   */
  #seriesNamed(port: PortNumber, name: string): number {
    for (const series of this.#series.values()) {
      if (series.port === port && series.name === name) {
        return series.id;
      }
    }
    if (this.#series.size >= MAX_CANDIDATES) {
      this.#forgetCandidates();
    }
    const id = this.#nextId++;
    const points = new PointRing(this.#points);
    this.#series.set(id, { id, port, name, points, lines: 0, isCurve: false });
    return id;
  }

  #forgetCandidates(): void {
    for (const { id, isCurve } of [...this.#series.values()]) {
      if (!isCurve) {
        this.#series.delete(id);
      }
    }
    for (const { labels } of this.#readings) {
      labels.forget();
    }
  }
}

/** Returns the ordinal after the newest line that has an end. */
function endOf(channel: LineChannel): number {
  const { endLine } = channel;
  return channel.lines > 0 && channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
}
