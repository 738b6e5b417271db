/** The newest points of one series, in columns of typed arrays that grow up to a limit. Points keep their number. */

import type { PortNumber } from '../port-settings.ts';

/** A series with its points. */
export interface PlottedSeries {
  readonly id: number;
  readonly port: PortNumber;
  readonly name: string;
  readonly points: PointRing;
  /** Lines that it had a reading in since its board last started. */
  lines: number;
  /** It is drawn: it has come several times. */
  isCurve: boolean;
}

/** Points that the first growth makes room for. */
const FIRST_ROOM = 1_024;

export class PointRing {
  readonly #capacity: number;
  #times = new Float64Array(0);
  #values = new Float64Array(0);
  #sequences = new Float64Array(0);
  /** 1 for a point in front of which readings were no numbers. */
  #gaps = new Uint8Array(0);
  #end = 0;
  #inGap = false;

  /** @param capacity points kept. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of the oldest point held. */
  get first(): number {
    return Math.max(0, this.#end - this.#capacity);
  }

  /** Number after the newest point: how many there have ever been. */
  get end(): number {
    return this.#end;
  }

  /** Whether the newest reading is no number. */
  get inGap(): boolean {
    return this.#inGap;
  }

  /** A reading is no number: the curve breaks here. */
  breakHere(): void {
    this.#inGap = this.#end > 0;
  }

  /** @param time not before that of the point before. @param sequence number of the line. */
  push(time: number, value: number, sequence: number): void {
    if (this.#end === this.#times.length && this.#end < this.#capacity) {
      this.#grow(Math.min(this.#capacity, Math.max(FIRST_ROOM, this.#end * 2)));
    }
    const slot = this.#slot(this.#end++);
    this.#times[slot] = time;
    this.#values[slot] = value;
    this.#sequences[slot] = sequence;
    this.#gaps[slot] = this.#inGap ? 1 : 0;
    this.#inGap = false;
  }

  /** Of a point that is held. */
  timeOf(point: number): number {
    return this.#times[this.#slot(point)] as number;
  }

  valueOf(point: number): number {
    return this.#values[this.#slot(point)] as number;
  }

  /** Whether readings between this point and the one before were no numbers. */
  gapBefore(point: number): boolean {
    return this.#gaps[this.#slot(point)] === 1;
  }

  /** Number of the line that the point was in. */
  sequenceOf(point: number): number {
    return this.#sequences[this.#slot(point)] as number;
  }

  /** The first point held that is not before `time`; `end` when there is none. */
  pointAt(time: number): number {
    let low = this.first;
    let high = this.#end;
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (this.timeOf(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #slot(point: number): number {
    // The room is the capacity before a number can be larger than it.
    return point < this.#capacity ? point : point % this.#capacity;
  }

  #grow(room: number): void {
    const grown = (old: Float64Array) => {
      const column = new Float64Array(room);
      column.set(old);
      return column;
    };
    this.#times = grown(this.#times);
    this.#values = grown(this.#values);
    this.#sequences = grown(this.#sequences);
    const gaps = new Uint8Array(room);
    gaps.set(this.#gaps);
    this.#gaps = gaps;
  }
}
