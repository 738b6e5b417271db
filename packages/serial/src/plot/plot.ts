/**
 * Plots the numbers in received lines as curves. It reads the lines that a bench holds, in slices and after they were
 * received, so that reading a port never waits for it. If lines arrive faster than it can read them, it skips some
 * and counts them.
 */
import type { Clock } from '@wirebench/clock';
import { csvRecord } from '../export-csv.ts';
import { blockOf } from '../line-bytes.ts';
import type { LineChannel } from '../line-channel.ts';
import { chunkLength } from '../log-lines.ts';
import type { PortNumber } from '../port-number.ts';
import { epochText, localStamp } from '../time-stamp.ts';
import { drawsMoreThan } from '../visible-bytes.ts';
import { BoardClock } from './board-clock.ts';
import { LabelBook } from './label-book.ts';
import { LONGEST_LINE, type NumberFormat, NumberLine } from './number-line.ts';
import { type PlotWindow, type PlotWindowQuery, plotWindow } from './plot-window.ts';
import { type PlottedSeries, PointRing } from './point-ring.ts';
import { isRestartLine } from './restart-line.ts';

export interface PlotOptions {
  /** Points kept of each series. Default: as many as `POINT_BUDGET` has room for. */
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
  /** Older points that were dropped, because they did not fit. */
  readonly dropped: number;
  /** The newest value; NaN while the newest reading is not a number. */
  readonly last: number;
  /** Times of the oldest and the newest point, in milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  /** True: some points are at times of the board's own clock. */
  readonly hasBoardTimes: boolean;
}

/** Points of all series together, at 25 bytes each: about 200 MB. */
const POINT_BUDGET = 1 << 23;
const DAY = 86_400_000;
/** Step back of a time up to which a clock was corrected, in milliseconds. */
const MAX_CORRECTION = 60_000;
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
/** Time that `run` works between two pauses, in milliseconds. */
const TURN = 8;

interface Reading {
  readonly channel: LineChannel;
  readonly port: PortNumber;
  readonly labels: LabelBook;
  /** Ordinal of the line to read next. */
  next: number;
  /** Time at which the last line was drawn; null before the first with a time. */
  drawnAt: number | null;
  /** Added to the times of lines, because curves never go back: whole days, for a log that was appended to on later days. */
  shift: number;
  readonly board: BoardClock;
}

/** Exports the points of a plot as CSV (RFC 4180): a row for each line with numbers, a column for each series. */

const encoder = new TextEncoder();

/** Time of a line, in milliseconds since the Unix epoch. NaN: unknown. */
interface LineTime {
  readonly at: number;
  readonly isDated: boolean;
}

/**
 * Yields all points that are held when the export begins. Points that are dropped during the export are missing.
 *
 * @param timeOf Returns the time of the line with this sequence number, whose points are drawn at `drawnAt`.
 */
function* plotCsv(
  series: readonly PlottedSeries[],
  portNames: Readonly<Partial<Record<PortNumber, string>>>,
  timeOf: (port: PortNumber, sequence: number, drawnAt: number) => LineTime,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const severalPorts = new Set(series.map(({ port }) => port)).size > 1;
  const head = series.map(({ port, name }) => (severalPorts ? `${portNames[port] ?? `Port ${port}`} ${name}` : name));
  let text = csvRecord(['time', 'epoch_ms', ...head]);
  const cursors = series.map(({ port, points, hasBoardTimes }) => ({
    port,
    hasBoardTimes,
    points,
    next: points.first,
    end: points.end,
    now: Number.NaN,
  }));
  for (;;) {
    let sequence = Number.POSITIVE_INFINITY;
    for (const cursor of cursors) {
      cursor.next = Math.max(cursor.next, cursor.points.first);
      cursor.now = cursor.next < cursor.end ? cursor.points.sequenceOf(cursor.next) : Number.POSITIVE_INFINITY;
      sequence = Math.min(sequence, cursor.now);
    }
    if (sequence === Number.POSITIVE_INFINITY) {
      break;
    }
    let time: LineTime = { at: Number.NaN, isDated: false };
    const values = cursors.map((cursor) => {
      if (cursor.now !== sequence) {
        return '';
      }
      const drawnAt = cursor.points.timeOf(cursor.next);
      time = cursor.hasBoardTimes ? { at: drawnAt, isDated: true } : timeOf(cursor.port, sequence, drawnAt);
      return `${cursor.points.valueOf(cursor.next++)}`;
    });
    text += csvRecord([localStamp(time.at, time.isDated), epochText(time.at, time.isDated), ...values]);
    if (text.length >= chunkLength) {
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
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
  readonly #missed: number;
  #skipped = 0;
  readonly #budget = { left: POINT_BUDGET };
  /** Names that had no place among the curves. */
  readonly #leftOut = new Set<number>();
  #hasCutLines = false;
  #hasLongLines = false;

  /** @param channels Received lines of ports. */
  constructor(
    clock: Clock,
    channels: readonly LineChannel[],
    { points = Number.POSITIVE_INFINITY, history, ports, format = 'any' }: PlotOptions = {},
  ) {
    this.#clock = clock;
    this.#points = points;
    this.#format = format;
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
      const labels = new LabelBook((name) => this.#seriesNamed(port, name));
      const next = Math.max(channel.firstLine, channel.endLine - (history ?? points));
      return { channel, port, labels, next, drawnAt: null, shift: 0, board: new BoardClock() };
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
    return this.#hasLongLines;
  }

  /** The series that occurred several times, in order of appearance. A number that occurred once is not a curve. */
  get series(): readonly PlotSeries[] {
    return this.#curves().map(({ id, port, name, points, hasBoardTimes }) => ({
      id,
      port,
      name,
      points: points.end - points.first,
      dropped: points.first,
      last: points.inGap ? Number.NaN : points.valueOf(points.end - 1),
      from: points.timeOf(points.first),
      to: points.timeOf(points.end - 1),
      hasBoardTimes,
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
    return plotCsv(this.#curves(), portNames, (port, sequence, drawnAt) => {
      const reading = this.#readings.find((one) => one.port === port);
      const line = reading?.channel.lineAtSequence(sequence) ?? 0;
      // A line that has left the ring has the time at which it is drawn.
      const isHeld = line < (reading?.channel.endLine ?? 0) && reading?.channel.sequenceOf(line) === sequence;
      const at = isHeld ? (reading?.channel.timeOf(line) ?? drawnAt) : drawnAt;
      return { at, isDated: reading?.channel.isDated ?? true };
    });
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
      const start = block.textStartOf(line);
      const end = block.textEndOf(line);
      if (!drawsMoreThan(LONGEST_LINE, block.bytes, start, end)) {
        this.#readLine(reading, block.bytes, start, end, line);
      } else if (!this.#hasLongLines) {
        this.#line.read(block.bytes, start, start + LONGEST_LINE, this.#format);
        this.#hasLongLines = this.#line.count > 0;
      }
    }
  }

  #readLine(reading: Reading, bytes: Uint8Array, from: number, to: number, ordinal: number): void {
    const { channel, labels, port } = reading;
    if (isRestartLine(bytes, from, to)) {
      this.#startAgain(port);
      reading.board.restart();
      return;
    }
    const line = this.#line;
    line.read(bytes, from, to, this.#format);
    if (line.count + line.gapCount === 0) {
      labels.skip(bytes, from, to);
      return;
    }
    const sequence = channel.sequenceOf(ordinal);
    const arrival = channel.timeOf(ordinal);
    const time = drawingTime(reading, arrival, sequence);
    if (line.hasTimes) {
      reading.board.take(newestTime(line), arrival, time);
    }
    this.#hasCutLines ||= line.isCut;
    // A sample with its time is said to be one.
    const needed = line.hasTimes ? 1 : !line.labelled ? COLUMN_LINES : line.pure ? PURE_LINES : TEXT_LINES;
    const ids = labels.seriesOf(line);
    for (let index = 0; index < ids.length; index++) {
      const value = line.values[index] as number;
      const id = ids[index] as number;
      const series = this.#leftOut.has(id) ? undefined : this.#series.get(id);
      if (series !== undefined && Number.isNaN(value)) {
        series.points.breakHere();
      } else if (series !== undefined) {
        const own = line.hasTimes ? (line.times[index] as number) : Number.NaN;
        this.#push(series, Number.isNaN(own) ? time : reading.board.placeOf(own), value, sequence);
        series.hasBoardTimes ||= !Number.isNaN(own);
        this.#count(series, needed);
      }
    }
  }

  /** Adds a point. A curve never goes back, although its times may: samples of other lines, or a clock that was set. */
  #push({ points }: PlottedSeries, time: number, value: number, sequence: number): void {
    const last = points.end === 0 ? time : points.timeOf(points.end - 1);
    points.push(Math.max(time, last), value, sequence);
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
    const points = new PointRing(this.#points, this.#budget);
    this.#series.set(id, { id, port, name, points, lines: 0, isCurve: false, hasBoardTimes: false });
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
function newestTime({ count, gapCount, times }: NumberLine): number {
  const known = times.subarray(0, count + gapCount).filter((time) => !Number.isNaN(time));
  return known.at(-1) ?? Number.NaN;
}

/** Returns the ordinal after the newest line that has an end. */
function endOf(channel: LineChannel): number {
  const { endLine } = channel;
  return channel.lines > 0 && channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
}
