/**
 * Facts about the lines of one stream in columns of typed arrays, 21 bytes a line. Lines are addressed by their
 * ordinal, which only grows: the first line of the stream is 0, even after it was dropped.
 */

/**
 * Lines of one chunk, a power of two. Chunks are dropped whole, so up to this many lines are kept longer than needed.
 */
const CHUNK_BITS = 13;
const CHUNK_LINES = 1 << CHUNK_BITS;
const SLOT_MASK = CHUNK_LINES - 1;

/** Largest difference that a column of 32 bits holds. */
const MAX_DELTA = 0xffff_ffff;

interface Chunk {
  /** Offset of the line's first byte in its stream, as the difference from the chunk's first line. */
  readonly starts: Uint32Array;
  readonly firstStart: number;
  /** Number of the line in order of arrival over all streams, as a difference. */
  readonly sequences: Uint32Array;
  readonly firstSequence: number;
  /** Arrival of the first byte, in milliseconds since the Unix epoch. */
  readonly times: Float64Array;
  /** Hex rows of all lines before this one, as a difference. */
  readonly hexRows: Uint32Array;
  readonly firstHexRows: number;
  readonly flags: Uint8Array;
  /** Whole values of lines that are too far apart for differences: a few lines of megabytes each. */
  wide: Record<GrowingColumn, Float64Array> | null;
}

/** Columns whose values grow from line to line and can be searched. */
export type GrowingColumn = 'starts' | 'sequences' | 'hexRows';

export class LineIndex {
  readonly #chunks: Chunk[] = [];
  /** Ordinal of the first line of the first chunk. */
  #base: number;
  #first: number;
  #end: number;

  /** @param from Ordinal of the first line. */
  constructor(from = 0) {
    this.#base = from;
    this.#first = from;
    this.#end = from;
  }

  /** Ordinal of the oldest line held. */
  get first(): number {
    return this.#first;
  }

  /** Ordinal of the oldest line in the index, hidden ones included. */
  get oldest(): number {
    return this.#base;
  }

  /** Ordinal after the newest line: the number of lines since the stream began. */
  get end(): number {
    return this.#end;
  }

  push(start: number, sequence: number, time: number, hexRows: number, flags: number): void {
    const slot = (this.#end - this.#base) & SLOT_MASK;
    if (slot === 0) {
      this.#chunks.push(newChunk(start, sequence, hexRows));
    }
    const chunk = this.#chunks.at(-1) as Chunk;
    const { starts, sequences, times, hexRows: rows, flags: ends } = chunk;
    const fromStart = start - chunk.firstStart;
    const fromSequence = sequence - chunk.firstSequence;
    const fromRows = hexRows - chunk.firstHexRows;
    starts[slot] = fromStart;
    sequences[slot] = fromSequence;
    times[slot] = time;
    rows[slot] = fromRows;
    ends[slot] = flags;
    if (fromStart > MAX_DELTA || fromSequence > MAX_DELTA || fromRows > MAX_DELTA || chunk.wide !== null) {
      chunk.wide ??= widened(chunk, slot);
      chunk.wide.starts[slot] = start;
      chunk.wide.sequences[slot] = sequence;
      chunk.wide.hexRows[slot] = hexRows;
    }
    this.#end++;
  }

  /** Replaces the flags of the newest line. The index must not be empty. */
  setLastFlags(flags: number): void {
    const chunk = this.#chunks.at(-1) as Chunk;
    chunk.flags[(this.#end - 1 - this.#base) & SLOT_MASK] = flags;
  }

  /** Replaces the time of the newest line. The index must not be empty. */
  setLastTime(time: number): void {
    const chunk = this.#chunks.at(-1) as Chunk;
    chunk.times[(this.#end - 1 - this.#base) & SLOT_MASK] = time;
  }

  /**
   * Returns the same as `get('starts', ordinal)`. It runs for each line that is read, where a column's name would
   * have to be looked up each time.
   */
  startOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    const chunk = this.#chunks[slot >>> CHUNK_BITS];
    if (chunk === undefined) {
      return Number.NaN;
    }
    return chunk.wide === null
      ? chunk.firstStart + (chunk.starts[slot & SLOT_MASK] as number)
      : (chunk.wide.starts[slot & SLOT_MASK] as number);
  }

  /** Returns the same as `get('sequences', ordinal)`, for the same reason as `startOf`. */
  sequenceOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    const chunk = this.#chunks[slot >>> CHUNK_BITS];
    if (chunk === undefined) {
      return Number.NaN;
    }
    return chunk.wide === null
      ? chunk.firstSequence + (chunk.sequences[slot & SLOT_MASK] as number)
      : (chunk.wide.sequences[slot & SLOT_MASK] as number);
  }

  timeOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    return this.#chunks[slot >>> CHUNK_BITS]?.times[slot & SLOT_MASK] ?? Number.NaN;
  }

  flagsOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    return this.#chunks[slot >>> CHUNK_BITS]?.flags[slot & SLOT_MASK] ?? Number.NaN;
  }

  /** Returns a fact about the line `ordinal`, which must be in the index. */
  get(column: GrowingColumn, ordinal: number): number {
    switch (column) {
      case 'starts':
        return this.startOf(ordinal);
      case 'sequences':
        return this.sequenceOf(ordinal);
      case 'hexRows':
        return this.#hexRowsOf(ordinal);
    }
  }

  #hexRowsOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    const chunk = this.#chunks[slot >>> CHUNK_BITS];
    if (chunk === undefined) {
      return Number.NaN;
    }
    return chunk.wide === null
      ? chunk.firstHexRows + (chunk.hexRows[slot & SLOT_MASK] as number)
      : (chunk.wide.hexRows[slot & SLOT_MASK] as number);
  }

  /** Returns the first ordinal from `low` up to `high` with at least this value; `high` if there is no such line. */
  lowerBound(column: GrowingColumn, value: number, low = this.#first, high = this.#end): number {
    let from = low;
    let to = high;
    while (from < to) {
      const middle = from + Math.floor((to - from) / 2);
      if (this.get(column, middle) < value) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /**
   * Holds the lines from `ordinal` on, which is not before `oldest`. Hides earlier lines, or shows hidden ones again.
   */
  holdFrom(ordinal: number): void {
    this.#first = ordinal;
  }

  /** Drops all lines before `ordinal`. */
  dropBefore(ordinal: number): void {
    this.#first = Math.min(Math.max(ordinal, this.#first), this.#end);
    const chunks = Math.floor((this.#first - this.#base) / CHUNK_LINES);
    this.#chunks.splice(0, chunks);
    this.#base += chunks * CHUNK_LINES;
  }
}

function newChunk(firstStart: number, firstSequence: number, firstHexRows: number): Chunk {
  return {
    starts: new Uint32Array(CHUNK_LINES),
    firstStart,
    sequences: new Uint32Array(CHUNK_LINES),
    firstSequence,
    times: new Float64Array(CHUNK_LINES),
    hexRows: new Uint32Array(CHUNK_LINES),
    firstHexRows,
    flags: new Uint8Array(CHUNK_LINES),
    wide: null,
  };
}

/** Returns the whole values of a chunk's lines before `slot`. */
function widened(chunk: Chunk, slot: number): Record<GrowingColumn, Float64Array> {
  const { firstStart, firstSequence, firstHexRows } = chunk;
  const whole = (deltas: Uint32Array, first: number) =>
    Float64Array.from(deltas, (delta, index) => (index < slot ? first + delta : 0));
  return {
    starts: whole(chunk.starts, firstStart),
    sequences: whole(chunk.sequences, firstSequence),
    hexRows: whole(chunk.hexRows, firstHexRows),
  };
}
