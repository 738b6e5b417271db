/**
 * Those lines of a channel that have been found, as a time line merges them (`LineSource` in `timeline.ts`). A match keeps
 * its number while others come before it and leave: older ones are found later, and get numbers below.
 */
import { hexRowsOf, type LineChannel } from './line-channel.ts';
import { SequenceList } from './sequence-list.ts';
import type { RowLayout } from './timeline-rows.ts';

export class MatchedLines {
  readonly channel: LineChannel;
  /** Sequence numbers of the lines. */
  readonly #sequences = new SequenceList();
  /** For each line the rows of 16 bytes before it, counted from wherever the first one that was found stood. */
  readonly #hexRows = new SequenceList();
  #first = 0;

  constructor(channel: LineChannel) {
    this.channel = channel;
  }

  /** Number of the oldest match held. */
  get firstLine(): number {
    this.#dropGone();
    return this.#first;
  }

  /** Number after the newest match. */
  get endLine(): number {
    this.#dropGone();
    return this.#first + this.#sequences.length;
  }

  get lines(): number {
    this.#dropGone();
    return this.#sequences.length;
  }

  /** Ordinal in the channel of the match `line`. */
  ordinalOf(line: number): number {
    return this.channel.lineAtSequence(this.sequenceOf(line));
  }

  sequenceOf(line: number): number {
    return this.#sequences.at(line - this.#first) ?? Number.NaN;
  }

  /** The first match whose sequence number is not below `sequence`; `endLine` when there is none. */
  lineAtSequence(sequence: number): number {
    this.#dropGone();
    return this.#first + this.#sequences.rank(sequence);
  }

  /** Rows of the matches held before `line`. */
  rowsBefore(line: number, layout: RowLayout): number {
    this.#dropGone();
    const index = line - this.#first;
    if (layout === 'text' || index === 0) {
      return index;
    }
    return this.#hexRowsBefore(index) - this.#hexRowsBefore(0);
  }

  rows(layout: RowLayout): number {
    return this.rowsBefore(this.endLine, layout);
  }

  /** The sequence numbers, ascending, valid until the next change. */
  sequences(): Float64Array {
    this.#dropGone();
    return this.#sequences.view();
  }

  /** @param ordinals ascending, all after those that are there. */
  append(ordinals: readonly number[]): void {
    const { channel } = this;
    let rows = this.#hexRowsBefore(this.#sequences.length);
    this.#hexRows.append(
      ordinals.map((ordinal) => {
        const before = rows;
        rows += hexRowsOf(channel.endOf(ordinal) - channel.startOf(ordinal));
        return before;
      }),
    );
    this.#sequences.append(ordinals.map((ordinal) => channel.sequenceOf(ordinal)));
  }

  /** @param ordinals ascending, all before those that are there. */
  prepend(ordinals: readonly number[]): void {
    const { channel } = this;
    let rows = this.#hexRowsBefore(0);
    const rowsBefore = ordinals.toReversed().map((ordinal) => {
      rows -= hexRowsOf(channel.endOf(ordinal) - channel.startOf(ordinal));
      return rows;
    });
    this.#hexRows.prepend(rowsBefore.reverse());
    this.#sequences.prepend(ordinals.map((ordinal) => channel.sequenceOf(ordinal)));
    this.#first -= ordinals.length;
  }

  /** Takes away the matches from the line `sequence` on. */
  dropFrom(sequence: number): void {
    this.#hexRows.dropFrom(this.#hexRows.at(this.#sequences.rank(sequence)) ?? Number.POSITIVE_INFINITY);
    this.#sequences.dropFrom(sequence);
  }

  /** Rows before the match with this index, 0 to how many there are. */
  #hexRowsBefore(index: number): number {
    const known = this.#hexRows.at(index);
    if (known !== undefined) {
      return known;
    }
    const last = this.#sequences.length - 1;
    if (last < 0) {
      return 0;
    }
    // The newest match may be a line that still grows, so its rows are counted whenever they are asked for.
    const ordinal = this.ordinalOf(this.#first + last);
    const { channel } = this;
    return (this.#hexRows.at(last) ?? 0) + hexRowsOf(channel.endOf(ordinal) - channel.startOf(ordinal));
  }

  /** Takes away the matches whose lines had to leave the ring. */
  #dropGone(): void {
    const { channel } = this;
    const oldest = channel.lines === 0 ? Number.POSITIVE_INFINITY : channel.sequenceOf(channel.firstLine);
    if ((this.#sequences.at(0) ?? Number.POSITIVE_INFINITY) >= oldest) {
      return;
    }
    const gone = this.#sequences.rank(oldest);
    this.#hexRows.dropBefore(this.#hexRows.at(gone) ?? Number.POSITIVE_INFINITY);
    this.#sequences.dropBefore(oldest);
    this.#first += gone;
  }
}
