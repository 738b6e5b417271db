/**
 * Lines of several channels as one list of rows in order of arrival, without a merged copy. A position is found by
 * binary search over the sequence numbers, counting the rows before in each channel. It locates rows; `row-page.ts`
 * reads them.
 */
import type { ChannelName } from './channel-name.ts';
import { FoldedLines, type LineFold } from './folded-lines.ts';
import type { LineChannel } from './line-channel.ts';
import type { LineSource } from './line-source.ts';
import type { RowAnchor, RowLayout } from './timeline-rows.ts';

export interface RowPlace {
  readonly channel: LineChannel;
  /** Ordinal of the line in its channel. */
  readonly line: number;
  /** Row within the line. */
  readonly part: number;
  /** Number of rows of the line. */
  readonly rows: number;
}

interface LinePlace extends Pick<RowPlace, 'channel' | 'line'> {
  readonly source: LineSource;
  /** Number of the line in its source. */
  readonly number: number;
}

/** Folds by channel, in order and without overlaps. */
export type ChannelFolds = Readonly<Partial<Record<ChannelName, readonly LineFold[]>>>;

export class Timeline {
  readonly #sources: readonly LineSource[];

  /** @param sources Lines of channels that are numbered by the same counter, each channel once. */
  constructor(sources: readonly LineSource[]) {
    this.#sources = sources;
  }

  /** Returns a timeline of these channels only. */
  only(channels: readonly LineChannel[]): Timeline {
    return new Timeline(this.#sources.filter(({ channel }) => channels.includes(channel)));
  }

  /**
   * Returns a timeline with folded stretches of lines as one row each, or none.
   *
   * @param folds Folds of the channels that have any.
   */
  folded(folds: ChannelFolds): Timeline {
    return new Timeline(
      this.#sources.map((source) => {
        const { name } = source.channel.identity;
        return folds[name] === undefined ? source : new FoldedLines(source, folds[name]);
      }),
    );
  }

  /** False: no line was cut by a decoder. */
  get mayHaveFrames(): boolean {
    return this.#sources.some(({ channel }) => channel.mayHaveFrames);
  }

  /** Returns true if the line of a channel with this sequence number is shown. */
  shows(channel: LineChannel, sequence: number): boolean {
    const source = this.#sources.find((one) => one.channel === channel);
    const line = source?.lineAtSequence(sequence) ?? 0;
    return source !== undefined && line < source.endLine && source.sequenceOf(line) === sequence;
  }

  /** Returns the number of rows held. */
  total(layout: RowLayout): number {
    let rows = 0;
    for (const source of this.#sources) {
      rows += source.rows(layout);
    }
    return rows;
  }

  /**
   * Returns the position of the first of `count` rows at `anchor`, 0 to `total`. An anchor whose line was dropped
   * refers to the oldest line that came after it.
   */
  locate(layout: RowLayout, anchor: RowAnchor, count: number): number {
    const total = this.total(layout);
    return Math.min(Math.max(Math.trunc(this.#target(layout, anchor, total - count)), 0), total);
  }

  /** Yields the rows from `position` on, at most `count`. */
  *places(layout: RowLayout, position: number, count: number): Generator<RowPlace, void> {
    const end = Math.min(position + count, this.total(layout));
    if (position >= end) {
      return;
    }
    const sequence = this.#sequenceAt(layout, position);
    let part = position - this.rowsBefore(layout, sequence);
    let left = end - position;
    for (const { channel, line, source, number } of this.linesFrom(sequence)) {
      const isOne = layout === 'text' && !channel.isOpen(line);
      const rows = isOne ? 1 : source.rowsBefore(number + 1, layout) - source.rowsBefore(number, layout);
      for (; part < rows && left > 0; part++, left--) {
        yield { channel, line, part, rows };
      }
      if (left === 0) {
        return;
      }
      part = 0;
    }
  }

  /** The sequence number after the newest line held. */
  get endSequence(): number {
    const ends = this.#sources.filter(hasLines).map((source) => source.sequenceOf(source.endLine - 1) + 1);
    return Math.max(0, ...ends);
  }

  /** Yields all lines from `sequence` up to `end`, in order. Lines that are dropped in between are skipped. */
  *linesFrom(sequence: number, end = Number.POSITIVE_INFINITY): Generator<LinePlace, void> {
    const cursors = this.#sources.map((source) => ({ source, line: source.lineAtSequence(sequence) }));
    for (;;) {
      let next: { source: LineSource; line: number } | undefined;
      let lowest = end;
      for (const cursor of cursors) {
        cursor.line = Math.max(cursor.line, cursor.source.firstLine);
        if (cursor.line < cursor.source.endLine) {
          const candidate = cursor.source.sequenceOf(cursor.line);
          if (candidate < lowest) {
            lowest = candidate;
            next = cursor;
          }
        }
      }
      if (next === undefined) {
        return;
      }
      const { source, line: number } = next;
      yield { channel: source.channel, line: source.ordinalOf(number), source, number };
      next.line++;
    }
  }

  /** Returns the number of rows before the line `sequence`. */
  rowsBefore(layout: RowLayout, sequence: number): number {
    let rows = 0;
    for (const source of this.#sources) {
      rows += source.rowsBefore(source.lineAtSequence(sequence), layout);
    }
    return rows;
  }

  /** Returns the sequence number of the line at row `position`; undefined outside of 0 to `total` − 1. */
  sequenceAt(layout: RowLayout, position: number): number | undefined {
    return position < 0 || position >= this.total(layout) ? undefined : this.#sequenceAt(layout, position);
  }

  #target(layout: RowLayout, anchor: RowAnchor, tail: number): number {
    if (anchor === 'tail') {
      return tail;
    }
    if ('position' in anchor) {
      return anchor.position;
    }
    const { sequence, part, offset } = anchor;
    return this.rowsBefore(layout, sequence) + this.#clampPart(layout, sequence, part) + offset;
  }

  #clampPart(layout: RowLayout, sequence: number, part: number): number {
    const rows = this.rowsBefore(layout, sequence + 1) - this.rowsBefore(layout, sequence);
    return Math.max(0, Math.min(part, rows - 1));
  }

  /** Returns the sequence number of the line at row `position`, which must be held. */
  #sequenceAt(layout: RowLayout, position: number): number {
    // For each channel, the lines between which the wanted sequence number falls. They narrow with every step.
    const brackets = this.#sources
      .filter(hasLines)
      .map((source) => ({ source, low: source.firstLine, high: source.endLine, middle: 0 }));
    let low = Math.min(...brackets.map(({ source, low: first }) => source.sequenceOf(first)));
    let high = Math.max(...brackets.map(({ source, high: end }) => source.sequenceOf(end - 1))) + 1;
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2);
      let rows = 0;
      for (const bracket of brackets) {
        bracket.middle = bracket.source.lineAtSequence(middle, bracket.low, bracket.high);
        rows += bracket.source.rowsBefore(bracket.middle, layout);
      }
      const above = rows <= position;
      for (const bracket of brackets) {
        if (above) {
          bracket.low = bracket.middle;
        } else {
          bracket.high = bracket.middle;
        }
      }
      if (above) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

function hasLines({ firstLine, endLine }: LineSource): boolean {
  return firstLine < endLine;
}
