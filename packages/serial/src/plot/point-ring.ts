/**
 * The newest points of one series, in typed arrays that grow while their budget has room. Points keep their number. The extremes of
 * each block of points are kept too, so that a picture of a million points does not read each of them.
 */

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
  /** True: some points are at times of the board's own clock. */
  hasBoardTimes: boolean;
}

/** Points that the first growth makes room for. */
const FIRST_ROOM = 1_024;
/** Points of a block. All capacities are multiples of it. */
export const BLOCK_POINTS = 64;

/** Points that several rings may hold together, beyond the first `FIRST_ROOM` of each. */
export interface PointBudget {
  left: number;
}

/** Lowest and highest value of a block, in the order of their points. */
export interface BlockExtremes {
  readonly first: number;
  readonly second: number;
}

export class PointRing {
  #capacity: number;
  readonly #budget: PointBudget;
  #times = new Float64Array(0);
  #values = new Float64Array(0);
  #sequences = new Float64Array(0);
  /** 1 for a point that follows readings without a number. */
  #gaps = new Uint8Array(0);
  #blockLows = new Float64Array(0);
  #blockHighs = new Float64Array(0);
  /** 1 for a block whose lowest value comes before its highest one. */
  #blockLowFirst = new Uint8Array(0);
  #end = 0;
  #inGap = false;

  /**
   * @param capacity Most points to keep.
   * @param budget Room beyond the first points. Without any, the newest points replace the oldest.
   */
  constructor(capacity: number, budget: PointBudget = { left: Number.POSITIVE_INFINITY }) {
    this.#capacity = capacity;
    this.#budget = budget;
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
      this.#grow();
    }
    const slot = this.#slot(this.#end++);
    this.#extend(slot, value);
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

  /** Returns the extremes of the block of points that begins with this one; null if no whole block does. */
  blockAt(point: number): BlockExtremes | null {
    const slot = this.#slot(point);
    if (slot % BLOCK_POINTS !== 0 || point + BLOCK_POINTS > this.#end || slot + BLOCK_POINTS > this.#capacity) {
      return null;
    }
    const block = slot / BLOCK_POINTS;
    const low = this.#blockLows[block] as number;
    const high = this.#blockHighs[block] as number;
    return this.#blockLowFirst[block] === 1 ? { first: low, second: high } : { first: high, second: low };
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

  #extend(slot: number, value: number): void {
    const block = Math.floor(slot / BLOCK_POINTS);
    if (slot % BLOCK_POINTS === 0) {
      this.#blockLows[block] = value;
      this.#blockHighs[block] = value;
    } else if (value < (this.#blockLows[block] as number)) {
      this.#blockLows[block] = value;
      this.#blockLowFirst[block] = 0;
    } else if (value > (this.#blockHighs[block] as number)) {
      this.#blockHighs[block] = value;
      this.#blockLowFirst[block] = 1;
    }
  }

  /** Doubles the room. Without a budget for it, the room of now is the capacity. */
  #grow(): void {
    const old = this.#times.length;
    const room = Math.min(this.#capacity, Math.max(FIRST_ROOM, old * 2));
    if (old > 0 && room - old > this.#budget.left) {
      this.#capacity = old;
      return;
    }
    this.#budget.left -= old > 0 ? room - old : 0;
    const blocks = Math.ceil(room / BLOCK_POINTS);
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
    const lows = new Float64Array(blocks);
    lows.set(this.#blockLows);
    this.#blockLows = lows;
    const highs = new Float64Array(blocks);
    highs.set(this.#blockHighs);
    this.#blockHighs = highs;
    const order = new Uint8Array(blocks);
    order.set(this.#blockLowFirst);
    this.#blockLowFirst = order;
  }
}
