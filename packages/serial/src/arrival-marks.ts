/**
 * Record of the arrivals whose bytes a channel keeps: offset, time and sequence number of each, so that the bytes can be
 * cut again as they came. 25 bytes for each arrival. A byte has a sequence number of its own, so that a line has the same
 * number however the bytes around it are cut.
 */

/** Arrivals that are kept at most: 26 MB. Beyond it, old neighbours without anything between them become one. */
const MAX_MARKS = 1 << 20;
const FIRST_MARKS = 256;

/** `entry`: one line, whatever decoder is at work. `end`: the stream ended here, for example at a disconnect. */
export type ArrivalKind = 'bytes' | 'entry' | 'end';

const kinds = ['bytes', 'entry', 'end'] as const satisfies readonly ArrivalKind[];

export interface Arrival {
  readonly kind: ArrivalKind;
  /** Offset of its first byte in the channel, and the offset after its last. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Sequence number of its first byte. The others follow. */
  readonly sequence: number;
}

export class ArrivalMarks {
  #froms = new Float64Array(FIRST_MARKS);
  #times = new Float64Array(FIRST_MARKS);
  #sequences = new Float64Array(FIRST_MARKS);
  #kinds = new Uint8Array(FIRST_MARKS);
  #count = 0;
  /** Offset after the last byte of the newest arrival. */
  #end = 0;
  readonly #most: number;

  constructor(most = MAX_MARKS) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  /** Memory of the record, in bytes. */
  get bytes(): number {
    return this.#froms.byteLength + this.#times.byteLength + this.#sequences.byteLength + this.#kinds.byteLength;
  }

  /**
   * Adds an arrival.
   *
   * @param kept Offset of the oldest byte that the channel keeps. Arrivals before it are forgotten when room is needed.
   */
  add({ kind, from, to, at, sequence }: Arrival, kept: number): void {
    if (from !== this.#end) {
      // Bytes without an arrival are between: nothing before can be cut again together with what follows.
      this.#count = 0;
    }
    if (this.#count === this.#froms.length) {
      this.#makeRoom(kept);
    }
    const index = this.#count++;
    this.#froms[index] = from;
    this.#times[index] = at;
    this.#sequences[index] = sequence;
    this.#kinds[index] = kinds.indexOf(kind);
    this.#end = to;
  }

  /** Returns true if the arrivals of all bytes from `from` up to `to` are known. */
  covers(from: number, to: number): boolean {
    return from >= to || (this.#count > 0 && this.#end === to && (this.#froms[0] as number) <= from);
  }

  /** Returns the sequence number of the byte at `offset`; null if its arrival is not known. */
  sequenceOf(offset: number): number | null {
    if (offset >= this.#end || this.#count === 0 || offset < (this.#froms[0] as number)) {
      return null;
    }
    const index = this.#indexAt(offset);
    return (this.#sequences[index] as number) + offset - (this.#froms[index] as number);
  }

  /** Returns the index of the first arrival that is needed for the bytes from `offset` on. */
  firstAt(offset: number): number {
    let index = Math.max(0, this.#indexAt(offset));
    while (index > 0 && this.#froms[index - 1] === offset) {
      index--;
    }
    return index;
  }

  /** Returns an arrival by its index, which is valid until the next `add`; null after the newest. */
  at(index: number): Arrival | null {
    if (index >= this.#count) {
      return null;
    }
    return {
      kind: kinds[this.#kinds[index] as number] as ArrivalKind,
      from: this.#froms[index] as number,
      to: index + 1 < this.#count ? (this.#froms[index + 1] as number) : this.#end,
      at: this.#times[index] as number,
      sequence: this.#sequences[index] as number,
    };
  }

  /** Returns the index of the first arrival whose sequence number is at least `sequence`. */
  indexOfSequence(sequence: number): number {
    return lowerBound(this.#sequences, this.#count, sequence);
  }

  /** Index of the newest arrival that begins at or before `offset`. */
  #indexAt(offset: number): number {
    // The newest arrival is asked for most.
    const last = this.#count - 1;
    return last >= 0 && (this.#froms[last] as number) <= offset
      ? last
      : lowerBound(this.#froms, this.#count, offset + 1) - 1;
  }

  #makeRoom(kept: number): void {
    const first = this.firstAt(kept);
    if (first > this.#count / 4) {
      this.#keep((index) => index >= first);
    } else if (this.#count >= this.#most) {
      this.#joinOldest();
    }
    if (this.#count >= this.#most) {
      // Nothing could be joined: the oldest arrivals are forgotten.
      this.#keep((index) => index >= this.#most / 4);
    }
    const length = Math.min(this.#most, this.#froms.length * 2);
    if (this.#count > this.#froms.length / 2 && length > this.#froms.length) {
      this.#froms = grown(this.#froms, new Float64Array(length));
      this.#times = grown(this.#times, new Float64Array(length));
      this.#sequences = grown(this.#sequences, new Float64Array(length));
      this.#kinds = grown(this.#kinds, new Uint8Array(length));
    }
  }

  /** Joins every second arrival of the older half with the one before, if nothing came between them. */
  #joinOldest(): void {
    const half = this.#count >> 1;
    this.#keep((index) => {
      const length = (this.#froms[index] as number) - (this.#froms[index - 1] as number);
      const follows = this.#sequences[index] === (this.#sequences[index - 1] as number) + length;
      return index >= half || index % 2 === 0 || !follows || this.#kinds[index] !== 0 || this.#kinds[index - 1] !== 0;
    });
  }

  #keep(isKept: (index: number) => boolean): void {
    let to = 0;
    for (const index of [...Array(this.#count).keys()].filter(isKept)) {
      this.#froms[to] = this.#froms[index] as number;
      this.#times[to] = this.#times[index] as number;
      this.#sequences[to] = this.#sequences[index] as number;
      this.#kinds[to] = this.#kinds[index] as number;
      to++;
    }
    this.#count = to;
  }
}

function grown<Column extends Float64Array | Uint8Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}

/** Returns the index of the first of `count` ascending values that is not below `value`. */
function lowerBound(values: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
