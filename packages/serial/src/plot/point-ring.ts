/** The newest points of one series, in typed arrays that grow up to a limit. Points keep their number. */

import type { PortNumber } from '../port-number.ts';

/** A series with its points. */
export interface PlottedSeries {
  readonly id: number;
  readonly port: PortNumber;
  readonly name: string;
  readonly points: PointRing;
  /** Lines with a reading of the series since its board's last start. */
  lines: number;
  /** True: the series is drawn, because it has come several times. */
  isCurve: boolean;
}

/** Points that the first growth makes room for. */
const FIRST_ROOM = 1_024;

export class PointRing {
  readonly #capacity: number;
  #times = new Float64Array(0);
  #values = new Float64Array(0);
  #sequences = new Float64Array(0);
  /** 1 for a point that follows readings without a number. */
  #gaps = new Uint8Array(0);
  #end = 0;
  #inGap = false;

  /** @param capacity Most points to keep. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of the oldest point held. */
  get first(): number {
    return Math.max(0, this.#end - this.#capacity);
  }

  /** Number after the newest point: the number of points since the series began. */
  get end(): number {
    return this.#end;
  }

  /** True if the newest reading is not a number. */
  get inGap(): boolean {
    return this.#inGap;
  }

  /** Breaks the curve: the newest reading is not a number. */
  breakHere(): void {
    this.#inGap = this.#end > 0;
  }

  /**
   * @param time Not before the time of the previous point.
   * @param sequence Sequence number of the line.
   */
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

  /** Returns the time of a held point, in milliseconds since the Unix epoch. */
  timeOf(point: number): number {
    return this.#times[this.#slot(point)] as number;
  }

  valueOf(point: number): number {
    return this.#values[this.#slot(point)] as number;
  }

  /** Returns true if readings between the previous point and this one were not numbers. */
  gapBefore(point: number): boolean {
    return this.#gaps[this.#slot(point)] === 1;
  }

  /** Returns the sequence number of the point's line. */
  sequenceOf(point: number): number {
    return this.#sequences[this.#slot(point)] as number;
  }

  /** Returns the first held point that is not before `time`; `end` if there is no such point. */
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
    // Before a number exceeds the capacity, the arrays have grown to it.
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
