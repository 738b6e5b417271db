/**
 * Several channels as one list of rows, in order of arrival, without a merged copy: a position is found by binary search
 * over the sequence numbers, counting in each channel the rows before. Knows where rows are, not what stands in them
 * (`row-page.ts`).
 */
import type { LineChannel } from './line-channel.ts';
import type { RowAnchor, RowLayout } from './timeline-rows.ts';

export interface RowPlace {
  readonly channel: LineChannel;
  /** Ordinal of the line in its channel. */
  readonly line: number;
  /** Row within the line. */
  readonly part: number;
}

export class Timeline {
  readonly #channels: readonly LineChannel[];

  /** @param channels numbered by the same counter. */
  constructor(channels: readonly LineChannel[]) {
    this.#channels = channels;
  }

  /** Rows held. */
  total(layout: RowLayout): number {
    let rows = 0;
    for (const channel of this.#channels) {
      rows += channel.rows(layout);
    }
    return rows;
  }

  /**
   * Position of the first of `count` rows at `anchor`, 0 to `total`. An anchor whose line is gone stands for the oldest
   * line that came after it.
   */
  locate(layout: RowLayout, anchor: RowAnchor, count: number): number {
    const total = this.total(layout);
    return Math.min(Math.max(Math.trunc(this.#target(layout, anchor, total - count)), 0), total);
  }

  /** The rows from `position` on, at most `count`. */
  *places(layout: RowLayout, position: number, count: number): Generator<RowPlace, void> {
    const end = Math.min(position + count, this.total(layout));
    if (position >= end) {
      return;
    }
    const sequence = this.#sequenceAt(layout, position);
    let part = position - this.#rowsBefore(layout, sequence);
    let left = end - position;
    for (const { channel, line } of this.linesFrom(sequence)) {
      const rows = channel.rowsBefore(line + 1, layout) - channel.rowsBefore(line, layout);
      for (; part < rows && left > 0; part++, left--) {
        yield { channel, line, part };
      }
      if (left === 0) {
        return;
      }
      part = 0;
    }
  }

  /** The number that a line after all that are held would have. */
  get endSequence(): number {
    const ends = this.#channels
      .filter((channel) => channel.lines > 0)
      .map((channel) => channel.sequenceOf(channel.endLine - 1) + 1);
    return Math.max(0, ...ends);
  }

  /** All lines from `sequence` up to `end`, in order; lines that are dropped meanwhile are passed over. */
  *linesFrom(sequence: number, end = Number.POSITIVE_INFINITY): Generator<Pick<RowPlace, 'channel' | 'line'>, void> {
    const cursors = this.#channels.map((channel) => ({ channel, line: channel.lineAtSequence(sequence) }));
    for (;;) {
      let next: { channel: LineChannel; line: number } | undefined;
      let lowest = end;
      for (const cursor of cursors) {
        cursor.line = Math.max(cursor.line, cursor.channel.firstLine);
        if (cursor.line < cursor.channel.endLine) {
          const candidate = cursor.channel.sequenceOf(cursor.line);
          if (candidate < lowest) {
            lowest = candidate;
            next = cursor;
          }
        }
      }
      if (next === undefined) {
        return;
      }
      yield { channel: next.channel, line: next.line };
      next.line++;
    }
  }

  #target(layout: RowLayout, anchor: RowAnchor, tail: number): number {
    if (anchor === 'tail') {
      return tail;
    }
    if ('position' in anchor) {
      return anchor.position;
    }
    const { sequence, part, offset } = anchor;
    return this.#rowsBefore(layout, sequence) + this.#clampPart(layout, sequence, part) + offset;
  }

  #clampPart(layout: RowLayout, sequence: number, part: number): number {
    const rows = this.#rowsBefore(layout, sequence + 1) - this.#rowsBefore(layout, sequence);
    return Math.max(0, Math.min(part, rows - 1));
  }

  #rowsBefore(layout: RowLayout, sequence: number): number {
    let rows = 0;
    for (const channel of this.#channels) {
      rows += channel.rowsBefore(channel.lineAtSequence(sequence), layout);
    }
    return rows;
  }

  /** Sequence number of the line with the row at `position`, which must be held. */
  #sequenceAt(layout: RowLayout, position: number): number {
    // For each channel the lines between which the wanted sequence number falls: they close in with every step.
    const brackets = this.#channels
      .filter((channel) => channel.lines > 0)
      .map((channel) => ({ channel, low: channel.firstLine, high: channel.endLine, middle: 0 }));
    let low = Math.min(...brackets.map(({ channel, low: first }) => channel.sequenceOf(first)));
    let high = Math.max(...brackets.map(({ channel, high: end }) => channel.sequenceOf(end - 1))) + 1;
    while (high - low > 1) {
      const middle = low + Math.floor((high - low) / 2);
      let rows = 0;
      for (const bracket of brackets) {
        bracket.middle = bracket.channel.lineAtSequence(middle, bracket.low, bracket.high);
        rows += bracket.channel.rowsBefore(bracket.middle, layout);
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
