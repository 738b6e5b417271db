/**
 * All points of one series, in chunks of typed arrays. Points keep their number. The extremes of each block and of each chunk are kept
 * too, so that a picture of a million points does not read each of them.
 */
import type { PortNumber } from '../port-number.ts';
import type { PointClock } from './sampling.ts';

/** A series with its points. */
export interface PlottedSeries {
  readonly id: number;
  readonly port: PortNumber;
  readonly name: string;
  /** Unit of its values; empty without one. */
  readonly unit: string;
  readonly points: PointStore;
  /** Names of values, or the texts that the values stand for. A series with any is drawn as bands. */
  readonly valueNames: Map<number, string>;
  /** Values of texts, by text. */
  readonly texts: Map<string, number>;
  /** Lines with a reading of the series since its board's last start. */
  lines: number;
  /** True: the series is drawn, because it has come several times. */
  isCurve: boolean;
  /** True: some points are at times of the board's own clock. */
  hasBoardTimes: boolean;
  /** Clock of the points' times; null before the first. */
  clock: PointClock | null;
  /** True: some points are at the places of their lines, because nothing gives their times. */
  hasUnknownTimes: boolean;
}

/** Points of a chunk and of a block. A chunk is a whole number of blocks. */
export const CHUNK_POINTS = 4_096;
const BLOCK_POINTS = 64;
/** Bits of a point's number that count within its chunk. */
const CHUNK_BITS = 12;
const IN_CHUNK = CHUNK_POINTS - 1;
const BLOCK_BITS = 6;
const MAX_OFFSET = 0xffff_ffff;
/** Most different values of a series that is drawn in steps. */
const MAX_STEPS = 4;

/** Sequence numbers as distances from the first of a chunk, in four bytes while they fit. */
type Offsets = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

interface Chunk {
  times: Float64Array<ArrayBuffer>;
  values: Float64Array<ArrayBuffer>;
  sequences: Offsets;
  /** Sequence number of the first point. */
  base: number;
  /** 1 for a point that follows readings without a value. */
  gaps: Uint8Array<ArrayBuffer>;
  /** Extremes of the blocks. */
  readonly lows: Float64Array<ArrayBuffer>;
  readonly highs: Float64Array<ArrayBuffer>;
  /** 1 for a block whose lowest value comes before its highest one. */
  readonly lowFirst: Uint8Array<ArrayBuffer>;
  /** Extremes of the chunk. */
  low: number;
  high: number;
  isLowFirst: boolean;
}

export class PointStore {
  /** Chunks from `#base` on. */
  readonly #chunks: Chunk[] = [];
  /** Number of chunks that were dropped. */
  #base = 0;
  #end = 0;
  #inGap = false;
  #wholeValues: number[] | null = [];

  /** All values since the series began, if they are at most four whole numbers; null for others. */
  get wholeValues(): readonly number[] | null {
    return this.#wholeValues;
  }

  /** Number of the oldest point held: the number of points that were dropped. */
  get first(): number {
    return this.#base * CHUNK_POINTS;
  }

  /** Number after the newest point: the number of points since the series began. */
  get end(): number {
    return this.#end;
  }

  /** True if the newest reading has no value. */
  get inGap(): boolean {
    return this.#inGap;
  }

  /** Lowest and highest value of all points held; NaN without points. */
  get extremes(): { readonly low: number; readonly high: number } {
    let low = Number.NaN;
    let high = Number.NaN;
    for (const chunk of this.#chunks) {
      low = chunk.low >= low ? low : chunk.low;
      high = chunk.high <= high ? high : chunk.high;
    }
    return { low, high };
  }

  /** Number after the last point of the oldest chunk; null if that chunk is not full. */
  get oldestEnd(): number | null {
    const end = (this.#base + 1) * CHUNK_POINTS;
    return end <= this.#end ? end : null;
  }

  /** Drops the oldest chunk, which must be full. */
  dropOldest(): void {
    this.#chunks.shift();
    this.#base++;
  }

  /** Breaks the curve: the newest reading has no value. */
  breakHere(): void {
    this.#inGap = this.#end > 0;
  }

  /**
   * @param time Not before the time of the previous point.
   * @param sequence Sequence number of the line, not below that of the previous point.
   */
  push(time: number, value: number, sequence: number): void {
    const at = this.#end & IN_CHUNK;
    const chunk = at === 0 ? this.#addChunk(value, sequence) : (this.#chunks.at(-1) as Chunk);
    if (at === chunk.values.length) {
      grow(chunk);
    }
    chunk.times[at] = time;
    chunk.values[at] = value;
    const offset = sequence - chunk.base;
    if (offset > MAX_OFFSET && chunk.sequences instanceof Uint32Array) {
      chunk.sequences = Float64Array.from(chunk.sequences);
    }
    chunk.sequences[at] = offset;
    chunk.gaps[at] = this.#inGap ? 1 : 0;
    extend(chunk, at, value);
    if (this.#wholeValues?.includes(value) === false) {
      const isStep = Number.isInteger(value) && this.#wholeValues.length < MAX_STEPS;
      this.#wholeValues = isStep ? [...this.#wholeValues, value] : null;
    }
    this.#inGap = false;
    this.#end++;
  }

  /** Returns the time of a held point, in milliseconds since the Unix epoch. */
  timeOf(point: number): number {
    return this.#chunkOf(point).times[point & IN_CHUNK] as number;
  }

  valueOf(point: number): number {
    return this.#chunkOf(point).values[point & IN_CHUNK] as number;
  }

  /** Returns true if readings between the previous point and this one had no value. */
  gapBefore(point: number): boolean {
    return this.#chunkOf(point).gaps[point & IN_CHUNK] === 1;
  }

  /** Returns the sequence number of the point's line. */
  sequenceOf(point: number): number {
    const chunk = this.#chunkOf(point);
    return chunk.base + (chunk.sequences[point & IN_CHUNK] as number);
  }

  /** Returns the points of the longest run whose extremes are known and that begins with this point: 4,096, 64 or 1. */
  runAt(point: number): number {
    if (point & (BLOCK_POINTS - 1) || point + BLOCK_POINTS > this.#end) {
      return 1;
    }
    return point & IN_CHUNK || point + CHUNK_POINTS > this.#end ? BLOCK_POINTS : CHUNK_POINTS;
  }

  /** Returns the next shorter run. */
  shorterRun(run: number): number {
    return run === CHUNK_POINTS ? BLOCK_POINTS : 1;
  }

  /** @param run A run that begins at the point. */
  lowOf(point: number, run: number): number {
    const chunk = this.#chunkOf(point);
    return run === CHUNK_POINTS ? chunk.low : (chunk.lows[(point & IN_CHUNK) >> BLOCK_BITS] as number);
  }

  highOf(point: number, run: number): number {
    const chunk = this.#chunkOf(point);
    return run === CHUNK_POINTS ? chunk.high : (chunk.highs[(point & IN_CHUNK) >> BLOCK_BITS] as number);
  }

  /** Returns true if the lowest value of a run comes before its highest one. */
  isLowFirst(point: number, run: number): boolean {
    const chunk = this.#chunkOf(point);
    return run === CHUNK_POINTS ? chunk.isLowFirst : chunk.lowFirst[(point & IN_CHUNK) >> BLOCK_BITS] === 1;
  }

  /** Returns the first held point that is not before `time`; `end` if there is no such point. */
  pointAt(time: number): number {
    return this.#search((point) => this.timeOf(point) < time);
  }

  /** Returns the first held point of a line with at least this sequence number; `end` if there is no such point. */
  pointAtSequence(sequence: number): number {
    return this.#search((point) => this.sequenceOf(point) < sequence);
  }

  #search(isBefore: (point: number) => boolean): number {
    let low = this.first;
    let high = this.#end;
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (isBefore(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #chunkOf(point: number): Chunk {
    return this.#chunks[(point >>> CHUNK_BITS) - this.#base] as Chunk;
  }

  #addChunk(value: number, sequence: number): Chunk {
    // Most names come a few times only. Their first chunk grows with them.
    const room = this.#end === 0 ? BLOCK_POINTS : CHUNK_POINTS;
    const blocks = CHUNK_POINTS / BLOCK_POINTS;
    const chunk: Chunk = {
      times: new Float64Array(room),
      values: new Float64Array(room),
      sequences: new Uint32Array(room),
      base: sequence,
      gaps: new Uint8Array(room),
      lows: new Float64Array(blocks),
      highs: new Float64Array(blocks),
      lowFirst: new Uint8Array(blocks),
      low: value,
      high: value,
      isLowFirst: false,
    };
    this.#chunks.push(chunk);
    return chunk;
  }
}

/** Doubles the room of a chunk. */
function grow(chunk: Chunk): void {
  const room = chunk.values.length * 2;
  const grown = <Column extends Float64Array | Uint32Array | Uint8Array>(column: Column, into: Column): Column => {
    into.set(column);
    return into;
  };
  chunk.times = grown(chunk.times, new Float64Array(room));
  chunk.values = grown(chunk.values, new Float64Array(room));
  chunk.sequences = grown<Offsets>(
    chunk.sequences,
    chunk.sequences instanceof Uint32Array ? new Uint32Array(room) : new Float64Array(room),
  );
  chunk.gaps = grown(chunk.gaps, new Uint8Array(room));
}

/** Takes a value into the extremes of its block and of the chunk. */
function extend(chunk: Chunk, at: number, value: number): void {
  const block = at >> BLOCK_BITS;
  if ((at & (BLOCK_POINTS - 1)) === 0) {
    chunk.lows[block] = value;
    chunk.highs[block] = value;
  } else if (value < (chunk.lows[block] as number)) {
    chunk.lows[block] = value;
    chunk.lowFirst[block] = 0;
  } else if (value > (chunk.highs[block] as number)) {
    chunk.highs[block] = value;
    chunk.lowFirst[block] = 1;
  }
  if (value < chunk.low) {
    chunk.low = value;
    chunk.isLowFirst = false;
  } else if (value > chunk.high) {
    chunk.high = value;
    chunk.isLowFirst = true;
  }
}
