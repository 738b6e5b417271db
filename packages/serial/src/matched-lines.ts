/**
 * The found lines of a channel, as a source of a timeline (`LineSource` in `line-source.ts`). A match keeps its
 * number while others come and go. Older matches are found later and get lower numbers, which may be negative.
 */
import type { LineChannel } from './line-channel.ts';
import type { RowLayout } from './timeline-rows.ts';

type Numbers = Float64Array<ArrayBuffer>;

/** Numbers that the first growth makes room for. */
const MIN_ROOM = 256;

/** An ascending list of numbers in one typed array that grows at both ends. */
export class SequenceList {
  #memory: Numbers = new Float64Array(0);
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  /** Returns a number; undefined outside of 0 to `length` − 1. */
  at(index: number): number | undefined {
    return index < 0 || index >= this.length ? undefined : this.#memory[this.#from + index];
  }

  /** Returns how many numbers are below `value`, which is also the index of the first one that is not. */
  rank(value: number): number {
    let low = this.#from;
    let high = this.#to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#memory[middle] as number) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - this.#from;
  }

  /** @param numbers Ascending, all above the existing ones. */
  append(numbers: readonly number[]): void {
    if (this.#to + numbers.length > this.#memory.length) {
      this.#grow(0, numbers.length);
    }
    this.#memory.set(numbers, this.#to);
    this.#to += numbers.length;
  }

  /** @param numbers Ascending, all below the existing ones. */
  prepend(numbers: readonly number[]): void {
    if (numbers.length > this.#from) {
      this.#grow(numbers.length, 0);
    }
    this.#from -= numbers.length;
    this.#memory.set(numbers, this.#from);
  }

  /** Removes every number that is not below `value`. */
  dropFrom(value: number): void {
    this.#to = this.#from + this.rank(value);
  }

  /** Removes every number below `value`. */
  dropBefore(value: number): void {
    this.#from += this.rank(value);
  }

  /** Returns a view of the numbers, valid until the next change. */
  view(): Numbers {
    return this.#memory.subarray(this.#from, this.#to);
  }

  /** Doubles the room at one end. The other end keeps its room, but no more than the list's length. */
  #grow(front: number, back: number): void {
    const { length } = this;
    const frontRoom = front > 0 ? Math.max(length + front, MIN_ROOM) : Math.min(this.#from, length);
    const backRoom = back > 0 ? Math.max(length + back, MIN_ROOM) : Math.min(this.#memory.length - this.#to, length);
    const memory = new Float64Array(frontRoom + length + backRoom);
    memory.set(this.view(), frontRoom);
    this.#memory = memory;
    this.#from = frontRoom;
    this.#to = frontRoom + length;
  }
}

export class MatchedLines {
  readonly channel: LineChannel;
  /** Ordinals of the lines in the channel. */
  readonly #ordinals = new SequenceList();
  /**
   * For each line, the hex rows before it, relative to the match that was found first; null until the hex layout is
   * used.
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

  /** Returns the ordinal in the channel of the match `line`. */
  ordinalOf(line: number): number {
    return this.#ordinals.at(line - this.#first) ?? Number.NaN;
  }

  sequenceOf(line: number): number {
    return this.channel.sequenceOf(this.ordinalOf(line));
  }

  /** Returns the first match with at least this sequence number; `endLine` if there is no such match. */
  lineAtSequence(sequence: number): number {
    this.#dropGone();
    return this.#first + this.#ordinals.rank(this.channel.lineAtSequence(sequence));
  }

  /** Returns the number of rows of the held matches before `line`. */
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

  /** @param ordinals Ascending, all after the existing ones. */
  append(ordinals: readonly number[]): void {
    if (this.#hexRows !== null) {
      this.#appendRows(this.#hexRows, ordinals);
    }
    this.#ordinals.append(ordinals);
  }

  /** @param ordinals Ascending, all before the existing ones. */
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

  /** Removes the matches from the channel's line `ordinal` on. */
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

  /** Returns the rows before the match with this index. `index` may be the number of matches. */
  #hexRowsBefore(hexRows: SequenceList, index: number): number {
    const known = hexRows.at(index);
    if (known !== undefined) {
      return known;
    }
    const last = hexRows.length - 1;
    // The newest match may be a line that still grows, so its rows are counted at each call.
    return last < 0 ? 0 : (hexRows.at(last) ?? 0) + this.#rowsOf(this.#ordinals.at(last) ?? Number.NaN);
  }

  /** Removes the matches whose lines have left the ring. */
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
