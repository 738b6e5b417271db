/**
 * Plots the numbers in received lines as curves. It reads the lines that a bench holds, in slices and after they were
 * received, so that reading a port never waits for it. If lines arrive faster than it can read them, it skips some
 * and counts them.
 */
import type { Clock } from '@wirebench/clock';
import { FrameLineReader } from '../frames/frame-line-reader.ts';
import { blockOf } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import type { PortNumber } from '../port-number.ts';
import { BoardClock } from './board-clock.ts';
import type { SeriesNamed } from './label-book.ts';
import type { LineReader, LineReadings } from './line-reader.ts';
import { MAX_NUMBERS, type NumberFormat } from './number-line.ts';
import { plotCsv } from './plot-csv.ts';
import { type PlotCursor, type PlotCursorQuery, plotCursor } from './plot-cursor.ts';
import { type PlotWindow, type PlotWindowQuery, plotWindow } from './plot-window.ts';
import { type PlottedSeries, PointStore } from './point-store.ts';
import { isRestartLine } from './restart-line.ts';
import { type XyPlane, type XyQuery, xyPlane } from './xy-plane.ts';

export interface PlotOptions {
  /** Newest existing lines of each port that are read first. Default: all. */
  readonly history?: number;
  /** Ports to plot. Default: all. */
  readonly ports?: readonly PortNumber[];
  /** Form of the lines to read. Default: any. */
  readonly format?: NumberFormat;
  /** Points beyond which those of lines that have left the log are dropped. Default: `SPARE_POINTS`. */
  readonly sparePoints?: number;
  /** Makes the reader of a port's lines. Default: one of frames, and of text in the form above. */
  readonly readerOf?: (port: PortNumber, seriesNamed: SeriesNamed) => LineReader;
}

/** One curve. Points and bounds are those held. */
export interface PlotSeries {
  /** Unique ID, counted from 0 in order of appearance. */
  readonly id: number;
  readonly port: PortNumber;
  /** Text before the number. For a column, `Column 2` or its name in a header. */
  readonly name: string;
  /** Unit that its lines give; empty without one. The name may give one, too (`unitInName`). */
  readonly unit: string;
  readonly points: number;
  /** Older points that were dropped. Their lines had left the log. */
  readonly dropped: number;
  /** The newest value; NaN while the newest reading has none. */
  readonly last: number;
  /** Lowest and highest value of all points. */
  readonly low: number;
  readonly high: number;
  /** Names of values, or texts that the values stand for. Empty: the values are numbers. */
  readonly valueNames: ReadonlyMap<number, string>;
  /** All values so far, if they are at most four whole numbers; null for others. */
  readonly wholeValues: readonly number[] | null;
  /** Times of the oldest and the newest point, in milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  /** True: some points are at times of the board's own clock. */
  readonly hasBoardTimes: boolean;
}

/** Points of all series together, at 21 bytes each: about 180 MB. A log of more keeps them all. */
const SPARE_POINTS = 1 << 23;
const DAY = 86_400_000;
/** Step back of a time up to which a clock was corrected, in milliseconds. */
const MAX_CORRECTION = 60_000;
/** Most series: as many as a line has readings. */
export const maxSeries = MAX_NUMBERS;
/** Most names and columns that are tracked to see whether they come again. A name that counts up makes one for each line. */
const MAX_CANDIDATES = 4 * maxSeries;
/** Most different texts of a series. More are no states. */
const MAX_TEXTS = 256;
/** Lines read in one step: about two milliseconds of work. */
const SLICE_LINES = 2_048;
/** Time that `run` works between two pauses, in milliseconds. */
const TURN = 8;

interface Reading {
  readonly channel: LineChannel;
  readonly port: PortNumber;
  readonly lines: LineReader;
  /** Ordinal of the line to read next. */
  next: number;
  /** Time at which the last line was drawn; null before the first with a time. */
  drawnAt: number | null;
  /** Added to the times of lines, because curves never go back: whole days, for a log that was appended to on later days. */
  shift: number;
  readonly board: BoardClock;
}

export class Plot {
  readonly #clock: Clock;
  readonly #spare: number;
  readonly #readings: readonly Reading[];
  readonly #history: number;
  /** Series by ID. */
  readonly #series = new Map<number, PlottedSeries>();
  /** IDs of series by port and name. */
  readonly #ids = new Map<string, number>();
  #nextId = 0;
  #curveCount = 0;
  readonly #missed: number;
  #skipped = 0;
  /** Points of all series, those that are not curves included. */
  #held = 0;
  /** Names that had no place among the curves. */
  readonly #leftOut = new Set<number>();
  #hasCutLines = false;
  #hasManyTexts = false;
  #leftOutValue = '';

  /** @param channels Received lines of ports. */
  constructor(
    clock: Clock,
    channels: readonly LineChannel[],
    { history, ports, format = 'any', sparePoints = SPARE_POINTS, readerOf }: PlotOptions = {},
  ) {
    this.#clock = clock;
    this.#spare = sparePoints;
    this.#history = history ?? Number.POSITIVE_INFINITY;
    const isWanted = ({ port }: LineChannel['identity']) => port !== null && (ports?.includes(port) ?? true);
    this.#missed = channels.reduce(
      (sum, { identity, droppedLines }) => sum + (isWanted(identity) ? droppedLines : 0),
      0,
    );
    this.#readings = channels.flatMap((channel) => {
      const { port } = channel.identity;
      if (port === null || !isWanted(channel.identity)) {
        return [];
      }
      const seriesNamed: SeriesNamed = (name, unit) => this.#seriesNamed(port, name, unit);
      const lines = readerOf?.(port, seriesNamed) ?? new FrameLineReader(seriesNamed, format);
      const next = Math.max(channel.firstLine, channel.endLine - this.#history);
      return { channel, port, lines, next, drawnAt: null, shift: 0, board: new BoardClock() };
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

  /** Number of lines that had left the ring before the plot began. */
  get missedLines(): number {
    return this.#missed;
  }

  /** Number of series that are not curves because there are too many. */
  get leftOutSeries(): number {
    return this.#leftOut.size;
  }

  /** True: some lines have more values than are read. */
  get hasCutLines(): boolean {
    return this.#hasCutLines;
  }

  /** True: some lines with numbers are longer than those that are read. */
  get hasLongLines(): boolean {
    return this.#readings.some(({ lines }) => lines.hasLongLines);
  }

  /** True: a series has more texts than are told apart. The others are gaps. */
  get hasManyTexts(): boolean {
    return this.#hasManyTexts;
  }

  /** A value that lines with curves have and no curve has, as it stands there; empty without one. */
  get leftOutValue(): string {
    return this.#leftOutValue;
  }

  /** The series that occurred several times, in order of appearance. A number that occurred once is not a curve. */
  get series(): readonly PlotSeries[] {
    return this.curves.map(({ id, port, name, unit, points, valueNames, hasBoardTimes }) => ({
      id,
      port,
      name,
      unit,
      points: points.end - points.first,
      dropped: points.first,
      last: points.inGap ? Number.NaN : points.valueOf(points.end - 1),
      ...points.extremes,
      valueNames,
      wholeValues: points.wholeValues,
      from: points.timeOf(points.first),
      to: points.timeOf(points.end - 1),
      hasBoardTimes,
    }));
  }

  /** The series with their points, for readers of all points (`spectrum.ts`). They change as lines are read. */
  get curves(): readonly PlottedSeries[] {
    return [...this.#series.values()].filter(({ isCurve }) => isCurve);
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
    return plotWindow(this.curves, query);
  }

  /** Finds the place of a cursor. @param near IDs of the series whose points are looked for. Null: no line is there. */
  cursor(query: PlotCursorQuery, near: readonly number[]): PlotCursor | null {
    return plotCursor(this.curves, query, near);
  }

  /** Returns curves over another one; null if no line has values of both. */
  plane(query: XyQuery): XyPlane | null {
    return xyPlane(this.curves, query);
  }

  /** Exports all held points as CSV, one column for each series. */
  exportCsv(portNames: Readonly<Partial<Record<PortNumber, string>>> = {}): Generator<Uint8Array<ArrayBuffer>, void> {
    return plotCsv(this.curves, portNames, (port, sequence, drawnAt) => {
      const reading = this.#readings.find((one) => one.port === port);
      const line = reading?.channel.lineAtSequence(sequence) ?? 0;
      // A line that has left the ring has the time at which it is drawn.
      const isHeld = line < (reading?.channel.endLine ?? 0) && reading?.channel.sequenceOf(line) === sequence;
      const at = isHeld ? (reading?.channel.timeOf(line) ?? drawnAt) : drawnAt;
      return { at, isDated: reading?.channel.isDated ?? true };
    });
  }

  #read(reading: Reading): void {
    const { channel } = reading;
    if (channel.isOfOlderCut(reading.next)) {
      this.#readAgain(reading);
    }
    const end = endOf(channel);
    const from = Math.max(reading.next, channel.firstLine);
    this.#skipped += from - reading.next;
    const to = Math.min(from + SLICE_LINES, end);
    reading.next = Math.max(from, to);
    if (from >= to) {
      return;
    }
    const block = blockOf(channel, from, to);
    for (let line = from; line < to; line++) {
      this.#readLine(reading, block.bytes, block.textStartOf(line), block.textEndOf(line), line);
    }
    if (this.#held > this.#spare) {
      this.#trim();
    }
  }

  /** Begins again with the oldest line of a port, whose bytes were cut again: the curves of its earlier lines are gone. */
  #readAgain(reading: Reading): void {
    for (const series of [...this.#series.values()].filter(({ port }) => port === reading.port)) {
      this.#forget(series);
    }
    const { channel, lines, board } = reading;
    lines.forget();
    board.restart();
    reading.next = Math.max(channel.firstLine, channel.endLine - this.#history);
    reading.drawnAt = null;
    reading.shift = 0;
  }

  #forget({ id, port, name, points, isCurve }: PlottedSeries): void {
    this.#series.delete(id);
    this.#ids.delete(`${port} ${name}`);
    this.#leftOut.delete(id);
    this.#held -= points.end - points.first;
    this.#curveCount -= isCurve ? 1 : 0;
  }

  #readLine(reading: Reading, bytes: Uint8Array, from: number, to: number, ordinal: number): void {
    const { channel, lines, port } = reading;
    if (isRestartLine(bytes, from, to)) {
      this.#startAgain(port);
      reading.board.restart();
      return;
    }
    const line = lines.read(bytes, from, to, channel, ordinal);
    if (line.count === 0) {
      return;
    }
    const sequence = channel.sequenceOf(ordinal);
    const arrival = channel.timeOf(ordinal);
    const time = drawingTime(reading, arrival, sequence);
    if (line.hasTimes) {
      reading.board.take(newestTime(line), arrival, time);
    }
    this.#hasCutLines ||= line.isCut;
    for (let index = 0; index < line.count; index++) {
      const id = line.series[index] as number;
      const series = this.#leftOut.has(id) ? undefined : this.#series.get(id);
      if (series !== undefined) {
        const value = this.#valueOf(series, line.values[index] as number, line.names[index] ?? null);
        const own = line.hasTimes ? (line.times[index] as number) : Number.NaN;
        if (Number.isNaN(value)) {
          series.points.breakHere();
        } else {
          this.#push(series, Number.isNaN(own) ? time : reading.board.placeOf(own), value, sequence);
          const clock = Number.isNaN(own) ? 'lines' : line.clock;
          series.clock = series.clock === null || series.clock === clock ? clock : 'mixed';
          series.hasBoardTimes ||= !Number.isNaN(own);
          series.hasUnknownTimes ||= Number.isNaN(own) && Number.isNaN(arrival);
          this.#count(series, line.needed);
          if (this.#leftOutValue === '' && series.isCurve) {
            this.#leftOutValue = line.leftOut ?? '';
          }
        }
      }
    }
  }

  /** Returns the value to keep. A text has a number of its own in its series; NaN: there is no value. */
  #valueOf({ valueNames, texts }: PlottedSeries, value: number, name: string | null): number {
    if (name === null) {
      return value;
    }
    if (!Number.isNaN(value)) {
      valueNames.set(value, name);
      return value;
    }
    const known = texts.get(name);
    if (known === undefined && texts.size < MAX_TEXTS) {
      const next = texts.size;
      texts.set(name, next);
      valueNames.set(next, name);
      return next;
    }
    this.#hasManyTexts ||= known === undefined;
    return known ?? Number.NaN;
  }

  /** Adds a point. A curve never goes back, although its times may: samples of other lines, or a clock that was set. */
  #push({ points }: PlottedSeries, time: number, value: number, sequence: number): void {
    const last = points.end === points.first ? time : points.timeOf(points.end - 1);
    points.push(Math.max(time, last), value, sequence);
    this.#held++;
  }

  /** Drops the oldest points of lines that have left the log, until no more than the spare ones are held. */
  #trim(): void {
    const kept = new Map(
      this.#readings.map(({ port, channel }) => [
        port,
        channel.lines > 0 ? channel.sequenceOf(channel.firstLine) : Number.POSITIVE_INFINITY,
      ]),
    );
    while (this.#held > this.#spare) {
      // Series that lose points at the same time begin together.
      const ends = [...this.#series.values()].flatMap(({ port, points }) => {
        const last = (points.oldestEnd ?? 0) - 1;
        // A series keeps its newest points.
        const canGo = last >= 0 && last + 1 < points.end && points.sequenceOf(last) < (kept.get(port) ?? 0);
        return canGo ? [{ points, at: points.timeOf(last) }] : [];
      });
      const oldest = Math.min(...ends.map(({ at }) => at));
      for (const { points, at } of ends) {
        if (at === oldest) {
          const before = points.first;
          points.dropOldest();
          this.#held -= points.first - before;
        }
      }
      if (ends.length === 0) {
        return;
      }
    }
  }

  /** Counts one more line with a reading of the series. */
  #count(series: PlottedSeries, needed: number): void {
    series.lines++;
    if (!series.isCurve && series.lines >= needed) {
      if (this.#curveCount < maxSeries) {
        series.isCurve = true;
        this.#curveCount++;
      } else {
        this.#leftOut.add(series.id);
      }
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
  #seriesNamed(port: PortNumber, name: string, unit: string): number {
    const key = `${port} ${name}`;
    const known = this.#ids.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#series.size >= MAX_CANDIDATES) {
      this.#forgetCandidates();
    }
    const id = this.#nextId++;
    this.#ids.set(key, id);
    this.#series.set(id, {
      id,
      port,
      name,
      unit,
      points: new PointStore(),
      valueNames: new Map(),
      texts: new Map(),
      lines: 0,
      isCurve: false,
      hasBoardTimes: false,
      clock: null,
      hasUnknownTimes: false,
    });
    return id;
  }

  #forgetCandidates(): void {
    for (const series of [...this.#series.values()].filter(({ isCurve }) => !isCurve)) {
      this.#forget(series);
    }
    for (const { lines } of this.#readings) {
      lines.forget();
    }
  }
}

/**
 * Returns the time at which the values of a line are drawn. It never goes back. Lines of a log without times are drawn in
 * their order, as if each took a millisecond; a line without a time among others, at the place of the line before.
 *
 * @param known Time of the line; NaN if it has none.
 */
function drawingTime(reading: Reading, known: number, sequence: number): number {
  if (Number.isNaN(known)) {
    return reading.drawnAt ?? sequence;
  }
  const last = reading.drawnAt;
  let time = known + reading.shift;
  if (last !== null && last - time > MAX_CORRECTION) {
    const days = Math.ceil((last - time) / DAY) * DAY;
    reading.shift += days;
    time += days;
  }
  reading.drawnAt = Math.max(time, last ?? time);
  return reading.drawnAt;
}

/** Returns the last time of the board's clock in a line that has some. */
function newestTime({ count, times }: LineReadings): number {
  let newest = Number.NaN;
  for (let index = 0; index < count; index++) {
    const time = times[index] as number;
    newest = Number.isNaN(time) ? newest : time;
  }
  return newest;
}

/** Returns the ordinal after the newest line that has an end. */
function endOf(channel: LineChannel): number {
  const { endLine } = channel;
  return channel.lines > 0 && channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
}
