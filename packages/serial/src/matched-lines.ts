/**
 * Those lines of a channel that have been found, as a timeline merges them (`LineSource` in `line-source.ts`). A match keeps
 * its number while others come before it and leave: older ones are found later, and get numbers below.
 */
import type { LineChannel } from './line-channel.ts';
import { SequenceList } from './sequence-list.ts';
import type { RowLayout } from './timeline-rows.ts';

export class MatchedLines {
  readonly channel: LineChannel;
  /** Ordinals of the lines in the channel. */
  readonly #ordinals = new SequenceList();
  /**
   * For each line the rows of 16 bytes before it, counted from wherever the first one that was found stood; null until
   * somebody looks at the hex layout.
   */
  #hexRows: SequenceList | null = null;
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
    return this.#first + this.#ordinals.length;
  }

  /** Ordinal in the channel of the match `line`. */
  ordinalOf(line: number): number {
    return this.#ordinals.at(line - this.#first) ?? Number.NaN;
  }

  sequenceOf(line: number): number {
    return this.channel.sequenceOf(this.ordinalOf(line));
  }

  /** The first match whose sequence number is not below `sequence`; `endLine` when there is none. */
  lineAtSequence(sequence: number): number {
    this.#dropGone();
    return this.#first + this.#ordinals.rank(this.channel.lineAtSequence(sequence));
  }

  /** Rows of the matches held before `line`. */
  rowsBefore(line: number, layout: RowLayout): number {
    this.#dropGone();
    const index = line - this.#first;
    if (layout === 'text' || index === 0) {
      return index;
    }
    const rows = this.#countedRows();
    return this.#hexRowsBefore(rows, index) - this.#hexRowsBefore(rows, 0);
  }

  rows(layout: RowLayout): number {
    return this.rowsBefore(this.endLine, layout);
  }

  /** @param ordinals ascending, all after those that are there. */
  append(ordinals: readonly number[]): void {
    if (this.#hexRows !== null) {
      this.#appendRows(this.#hexRows, ordinals);
    }
    this.#ordinals.append(ordinals);
  }

  /** @param ordinals ascending, all before those that are there. */
  prepend(ordinals: readonly number[]): void {
    if (this.#hexRows !== null) {
      let rows = this.#hexRowsBefore(this.#hexRows, 0);
      const before = ordinals.toReversed().map((ordinal) => {
        rows -= this.#rowsOf(ordinal);
        return rows;
      });
      this.#hexRows.prepend(before.reverse());
    }
    this.#ordinals.prepend(ordinals);
    this.#first -= ordinals.length;
  }

  /** Takes away the matches from the line `ordinal` of the channel on. */
  dropFrom(ordinal: number): void {
    this.#hexRows?.dropFrom(this.#hexRows.at(this.#ordinals.rank(ordinal)) ?? Number.POSITIVE_INFINITY);
    this.#ordinals.dropFrom(ordinal);
  }

  #rowsOf(ordinal: number): number {
    return this.channel.hexRowsOf(ordinal);
  }

  #countedRows(): SequenceList {
    if (this.#hexRows === null) {
      this.#hexRows = new SequenceList();
      this.#appendRows(this.#hexRows, Array.from(this.#ordinals.view()), 0);
    }
    return this.#hexRows;
  }

  #appendRows(
    hexRows: SequenceList,
    ordinals: readonly number[],
    from = this.#hexRowsBefore(hexRows, hexRows.length),
  ): void {
    let rows = from;
    const before = ordinals.map((ordinal) => {
      const here = rows;
      rows += this.#rowsOf(ordinal);
      return here;
    });
    hexRows.append(before);
  }

  /** Rows before the match with this index, 0 to how many there are. */
  #hexRowsBefore(hexRows: SequenceList, index: number): number {
    const known = hexRows.at(index);
    if (known !== undefined) {
      return known;
    }
    const last = hexRows.length - 1;
    // The newest match may be a line that still grows, so its rows are counted whenever they are asked for.
    return last < 0 ? 0 : (hexRows.at(last) ?? 0) + this.#rowsOf(this.#ordinals.at(last) ?? Number.NaN);
  }

  /** Takes away the matches whose lines had to leave the ring. */
  #dropGone(): void {
    const oldest = this.channel.firstLine;
    if ((this.#ordinals.at(0) ?? oldest) >= oldest) {
      return;
    }
    const gone = this.#ordinals.rank(oldest);
    this.#hexRows?.dropBefore(this.#hexRows.at(gone) ?? Number.POSITIVE_INFINITY);
    this.#ordinals.dropBefore(oldest);
    this.#first += gone;
  }
}
