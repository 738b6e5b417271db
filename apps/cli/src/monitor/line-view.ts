/**
 * The timeline of a bench as lines of a terminal or as JSON: in order of arrival, each line once, when its end has come.
 * A line without an end holds back the later ones for a moment. What has come of it is then shown and marked as open.
 */
import type { Clock } from '@wirebench/clock';
import { stopwatchText } from '@wirebench/port/numbers';
import {
  type Bench,
  epochText,
  lineText,
  localStamp,
  logPrefix,
  type PortNumber,
  type Row,
  withoutColours,
} from '@wirebench/serial';
import type { Colour, Paint } from '../colours.ts';
import type { ShownRules } from './shown-rules.ts';

/** Age of an open line from which it is shown and later lines pass it, in milliseconds. */
const OPEN_LINE_WAIT = 300;
/** Rows that are read at a time. */
const PAGE = 1_024;

const portColours: readonly Colour[] = ['cyan', 'magenta', 'green', 'blue'];
/** Levels of logs, lowest first. */
export const lineLevels = ['info', 'warning', 'error'] as const;
type LineLevel = (typeof lineLevels)[number];
const levelRanks = { info: 0, success: 0, warning: 1, error: 2 } as const;

/** Kinds of time: the words of the page, and two for other programs. */
export const timeFormats = ['clock', 'elapsed', 'delta', 'iso', 'epoch'] as const;
type TimeFormat = (typeof timeFormats)[number];
/** Characters of a time of these formats. */
const STOPWATCH = 9;

const levelColours = { error: 'red', warning: 'yellow', success: 'green', info: null } as const;

/** Mark of what is shown of a line before its end. */
const OPEN_MARK = '(open) ';

/** Progress of a line that is shown before its end. */
interface OpenLine {
  /** Row of the line that is shown next. */
  part: number;
  /** Length of its text that was shown. */
  length: number;
  /** Time of the line that was printed before it, in milliseconds since the Unix epoch; null for the first. */
  readonly since: number | null;
}

export interface LineViewOptions {
  readonly bench: Bench;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly labels: Readonly<Partial<Record<PortNumber, string>>>;
  readonly format: 'text' | 'json';
  /** Time in front of each line; JSON has its own. */
  readonly time: TimeFormat;
  /** Lowest level of received lines that are printed; null prints all. Notices are always printed. */
  readonly level: LineLevel | null;
  /** Rules that colour lines, before their levels do; null without any. */
  readonly rules: ShownRules | null;
  readonly paint: Paint;
  /** Channels to print; omitted: all. */
  readonly channels?: readonly 'notices'[];
  /** Prints a line. Returns false while the reader is behind. */
  readonly write: (text: string, isNotice: boolean) => boolean;
}

export class LineView {
  readonly #options: LineViewOptions;
  /** Sequence number and row of the row printed last. */
  #last: { readonly sequence: number; readonly part: number } | null = null;
  /** Times of the first line, and of the line printed last. */
  #startedAt: number | null = null;
  #before: number | null = null;
  /** Lines that others have passed before their end, by sequence number. */
  readonly #open = new Map<number, OpenLine>();

  constructor(options: LineViewOptions) {
    this.#options = options;
  }

  /**
   * Prints what has come.
   *
   * @param end True: show all of open lines now, because nothing follows.
   * @returns False while the reader is behind; the caller calls again when it is not.
   */
  print(end = false): boolean {
    const { bench, channels } = this.#options;
    for (const sequence of this.#open.keys()) {
      this.#follow(sequence, end);
    }
    for (;;) {
      const anchor = this.#last === null ? { position: 0 } : { ...this.#last, offset: 1 };
      const { rows } = bench.rows({ layout: 'text', anchor, count: PAGE, ...(channels !== undefined && { channels }) });
      const fresh = rows.filter((row) => this.#isNew(row));
      for (const row of fresh) {
        const isYoung = this.#options.clock.wallTime() - row.at < OPEN_LINE_WAIT;
        if (row.open && isYoung && !end) {
          return true;
        }
        this.#last = { sequence: row.sequence, part: row.part };
        if (row.open && !this.#open.has(row.sequence)) {
          this.#open.set(row.sequence, { part: row.part, length: 0, since: this.#before });
          this.#follow(row.sequence, true);
        } else if (!row.open && this.#isWanted(row) && !this.#write(row, this.#textOf(row))) {
          return false;
        }
      }
      if (fresh.length === 0) {
        return true;
      }
    }
  }

  /** Notices of the bench count ports; here each has the name that the user gave. */
  #textOf({ sequence, bytes, ending, lineLength, open, direction }: Row): string {
    if (!open && direction !== 'notice' && lineLength - ending.length > bytes.length) {
      // The row is cut. The copy has all of the line, without its colours.
      const edge = { sequence, part: 0 };
      return [...this.#options.bench.copyRows({ layout: 'text', from: edge, to: edge })].join('').replace(/\n$/, '');
    }
    const text = lineText(bytes, { open, sent: direction === 'sent' });
    return direction === 'notice'
      ? text.replace(
          /\bPort ([1-4])\b/g,
          (whole, port: string) => this.#options.labels[Number(port) as PortNumber] ?? whole,
        )
      : text;
  }

  #isWanted(row: Row): boolean {
    const { level } = this.#options;
    if (level === null || row.direction === 'notice') {
      return true;
    }
    const own = levelOf(row);
    return own !== null && levelRanks[own] >= levelRanks[level];
  }

  #isNew({ sequence, part }: Row): boolean {
    const last = this.#last;
    return last === null || sequence > last.sequence || (sequence === last.sequence && part > last.part);
  }

  /**
   * Prints a line that others have passed when its end has come, and shows what has come of it before. A long one has several
   * rows, the last of which grows.
   *
   * @param all True: also show the growing row. False: wait until it is full.
   */
  #follow(sequence: number, all: boolean): void {
    const line = this.#open.get(sequence);
    if (line === undefined) {
      return;
    }
    const anchor = { sequence, part: line.part, offset: 0 };
    const page = this.#options.bench.rows({ layout: 'text', anchor, count: PAGE, whole: [sequence] });
    const rows = page.rows.filter((row) => row.sequence === sequence);
    if (rows.length === 0) {
      this.#open.delete(sequence);
    }
    for (const [index, row] of rows.entries()) {
      const text = this.#textOf(row);
      if (!row.open) {
        // The rows of an ended line are one again.
        this.#open.delete(sequence);
        if (this.#isWanted(row)) {
          this.#write(row, text, line);
        }
        return;
      }
      const shown = row.part === line.part ? line.length : 0;
      const isGrowing = index === rows.length - 1;
      if ((!isGrowing || all) && text.length > shown && this.#isWanted(row)) {
        this.#write(row, text.slice(shown), line);
      }
      line.part = isGrowing ? row.part : row.part + 1;
      line.length = !isGrowing ? 0 : all ? text.length : shown;
    }
  }

  /** @param line Progress of a line that others have passed; null for one in its place. */
  #write(row: Row, text: string, line: OpenLine | null = null): boolean {
    const { format, write } = this.#options;
    return write(format === 'json' ? this.#json(row, text) : this.#line(row, text, line), row.direction === 'notice');
  }

  #json(row: Row, text: string): string {
    const { labels } = this.#options;
    const port = row.port === null ? null : (labels[row.port] ?? null);
    const kind = row.direction === 'notice' ? row.level : row.direction;
    const facts = { at: new Date(row.at).toISOString(), port, kind, text: withoutColours(text) };
    return `${JSON.stringify(row.open ? { ...facts, open: true } : facts)}\n`;
  }

  /** Returns a text with the board's colours, which end with its line; without them where there are none. */
  #ownColours(text: string): string {
    const isColoured = this.#options.paint('bold', 'x') !== 'x';
    return isColoured ? `${text}\x1b[0m` : withoutColours(text);
  }

  #line(row: Row, text: string, line: OpenLine | null): string {
    const { labels, paint } = this.#options;
    const time = paint('dim', this.#time(row.at, line));
    const names = Object.values(labels);
    const width = Math.max(...names.map(({ length }) => length));
    const name = row.port === null ? '' : (labels[row.port] ?? '');
    const colour = portColours[(row.port ?? 1) - 1] ?? 'cyan';
    const label = names.length < 2 ? '' : ` ${paint(colour, name.padEnd(width))}`;
    const mark = row.direction === 'sent' ? '> ' : row.direction === 'notice' ? '* ' : '';
    const level = levelOf(row);
    const painted = level === null ? null : levelColours[level];
    const bare = withoutColours(text);
    const own = bare !== text ? this.#ownColours(text) : painted === null ? text : paint(painted, text);
    const shown = this.#options.rules?.painted(row, bare, paint) ?? own;
    return `${time}${label}  ${mark}${row.open ? paint('dim', OPEN_MARK) : ''}${shown}\n`;
  }

  #time(at: number, line: OpenLine | null): string {
    this.#startedAt ??= at;
    const since = (line === null ? this.#before : line.since) ?? at;
    if (line === null) {
      this.#before = at;
    } else {
      this.#before ??= at;
    }
    switch (this.#options.time) {
      case 'clock':
        return localStamp(at, false);
      case 'elapsed':
        return stopwatchText(at - this.#startedAt).padStart(STOPWATCH);
      case 'delta':
        return `+${stopwatchText(at - since)}`.padStart(STOPWATCH + 1);
      case 'iso':
        return new Date(at).toISOString();
      case 'epoch':
        return epochText(at);
    }
  }
}

/** Level of a notice, or of a board's line in a known form. */
const levelOf = (row: Row) => row.level ?? logPrefix(row.bytes, 0, row.bytes.length)?.level ?? null;
