/**
 * The frames of a log of any size, in order, as the page shows them: the log is read part by part into the lines of a
 * bench, and a line is given once the lines behind it are there that may hold its answer.
 */
import type { Clock } from '@wirebench/clock';
import type { FrameReader } from '@wirebench/frames';
import { Bench } from '../bench.ts';
import { CsvTable } from '../export-csv.ts';
import type { FramedLine } from '../framing/channel-decoder.ts';
import type { LineQuery } from '../line-query.ts';
import type { LinePosition } from '../log-lines.ts';
import { isHexLog } from './hex-log.ts';
import { daysBefore } from './log-clock.ts';
import type { LogForm } from './log-lines-reader.ts';
import { type LogSource, LogStream } from './log-stream.ts';

const PORT = 1;
/** Bytes of lines that are held, by default. */
const RING_BYTES = 4 << 20;
/** Shares of them: the bytes behind a line that is given, and what is read at a time. The rest is for long lines. */
const BEHIND = 4;
const SLICE = 16;
/** Day of times without a date. They are after the start of the Unix epoch in every zone. */
const UNKNOWN_DAY = 2 * 86_400_000;

export interface FramedLogParts {
  readonly clock: Clock;
  readonly source: LogSource;
  readonly form: LogForm;
  readonly reader: FrameReader;
  /** True: frames are lines of text with their endings. */
  readonly isText: boolean;
  /** Gives only the lines that this finds; null: all. */
  readonly query: LineQuery | null;
  /** Last change of the file, by which lines without a date have one; null: unknown. Milliseconds since the Unix epoch. */
  readonly lastModified: number | null;
  /** Ends the reading, which then rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Bytes of lines that are held. Tests choose fewer. */
  readonly ringBytes?: number;
}

/** A frame, or bytes between frames, as a decoder has cut them. */
export interface LoggedFrame {
  readonly direction: 'received' | 'sent';
  /** Milliseconds since the Unix epoch; NaN: unknown. */
  readonly at: number;
  /** False: the date of `at` means nothing. */
  readonly isDated: boolean;
  /** Bytes as they came, and those without the ending of a line. */
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
  readonly framed: FramedLine;
}

export class FramedLog {
  readonly #parts: FramedLogParts;
  #whole = 0;
  #isHexLog: boolean | null = null;

  constructor(parts: FramedLogParts) {
    this.#parts = parts;
  }

  /** Number of whole frames among the lines that were given. */
  get whole(): number {
    return this.#whole;
  }

  /** Yields the frames in order, and the bytes between them. Rejects if the log cannot be read. */
  async *frames(): AsyncGenerator<LoggedFrame, void> {
    for await (const lines of this.#read()) {
      for (const { channel, line } of lines) {
        const { direction } = channel.identity;
        const framed = channel.frameAt(line);
        if (framed === null || direction === 'notice') {
          continue;
        }
        this.#whole += framed.kind === 'frame' ? 1 : 0;
        const start = channel.startOf(line);
        const bytes = channel.ring.view(start, channel.endOf(line)).slice();
        const content = bytes.subarray(0, channel.textEndOf(line) - start);
        yield { direction, at: channel.timeOf(line), isDated: channel.isDated, bytes, content, framed };
      }
    }
  }

  /** Yields the log as the page exports it as CSV. It is read twice: the names of its fields are needed first. */
  async *csv(): AsyncGenerator<Uint8Array, void> {
    const table = new CsvTable();
    for await (const lines of this.#read()) {
      for (const _turn of table.look(lines)) {
        // Others have their turn while the log is read.
      }
    }
    this.#whole = table.frames;
    for await (const lines of this.#read()) {
      yield* table.export(lines);
    }
  }

  async *#read(): AsyncGenerator<Iterable<LinePosition>, void> {
    const { clock, source, form, reader, isText, query, signal, ringBytes = RING_BYTES } = this.#parts;
    const { day, isDated } = await this.#dates();
    const bench = new Bench({ clock, ringBytes });
    let given = 0;
    try {
      bench.setDecoder(PORT, reader, isText);
      bench.setDated(PORT, isDated);
      this.#isHexLog ??= await isHexLog(source, form, bench.hexLineCount());
      bench.setHexLog(PORT, this.#isHexLog);
      const filter = query === null ? undefined : bench.search(query);
      const linesTo = async (end: number): Promise<Iterable<LinePosition>> => {
        await filter?.run(() => clock.sleep(0));
        return bench.lines(given, end, filter);
      };
      const stream = new LogStream(source, form, { day, sliceBytes: Math.floor(ringBytes / SLICE) });
      /** Ends of the slices that are not given yet. */
      const marks: { readonly loaded: number; readonly end: number }[] = [];
      let loaded = 0;
      for (let pieces = await stream.next(); pieces !== null; pieces = await stream.next()) {
        // A signal has its turn.
        await clock.sleep(0);
        signal?.throwIfAborted();
        bench.load(PORT, pieces);
        loaded += pieces.reduce((sum, { from, to }) => sum + to - from, 0);
        marks.push({ loaded, end: bench.endedSequence(PORT) });
        const end = marks.findLast((mark) => loaded - mark.loaded >= ringBytes / BEHIND)?.end ?? given;
        if (end > given) {
          yield await linesTo(end);
          given = end;
          marks.splice(0, marks.findLastIndex((mark) => mark.end <= end) + 1);
        } else if (loaded - (marks[0]?.loaded ?? 0) >= ringBytes / 2) {
          // Bytes wait for their end in vain, while the other direction fills its ring.
          bench.endLoad(PORT);
          marks.splice(0, marks.length, { loaded, end: bench.endedSequence(PORT) });
        }
      }
      bench.endLoad(PORT);
      yield await linesTo(bench.endedSequence(PORT));
    } finally {
      await bench.dispose();
    }
  }

  /** Returns the day of the first line, for times without a date. The file was changed last with its last line. */
  async #dates(): Promise<{ readonly day: number; readonly isDated: boolean }> {
    const { source, form, lastModified } = this.#parts;
    const stream = new LogStream(source, form, { day: lastModified ?? UNKNOWN_DAY });
    await stream.next();
    const { clock } = stream;
    const unknown = { day: UNKNOWN_DAY, isDated: false };
    if (clock.isRelative) {
      return unknown;
    }
    if (!clock.lacksDates) {
      return { day: UNKNOWN_DAY, isDated: true };
    }
    if (lastModified === null) {
      return unknown;
    }
    while ((await stream.next()) !== null) {
      // Counts the days of its lines.
    }
    return clock.isUnsteady ? unknown : { day: daysBefore(lastModified, clock.days), isDated: true };
  }
}
