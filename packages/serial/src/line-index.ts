/**
 * Facts about the lines of one stream in columns of typed arrays, 33 bytes a line. Lines are addressed by their
 * ordinal, which only grows: the first line of the stream is 0, even after it was dropped.
 */

/**
 * Lines of one chunk, a power of two. Chunks are dropped whole, so up to this many lines are kept longer than needed.
 */
const CHUNK_BITS = 13;
const CHUNK_LINES = 1 << CHUNK_BITS;
const SLOT_MASK = CHUNK_LINES - 1;

interface Chunk {
  /** Offset of the line's first byte in its stream. */
  readonly starts: Float64Array;
  /** Number of the line in order of arrival over all streams. */
  readonly sequences: Float64Array;
  /** Arrival of the first byte, in milliseconds since the Unix epoch. */
  readonly times: Float64Array;
  /** Hex rows of all lines before this one. */
  readonly hexRows: Float64Array;
  readonly flags: Uint8Array;
}

/** Columns whose values grow from line to line and can be searched. */
export type GrowingColumn = 'starts' | 'sequences' | 'hexRows';

export class LineIndex {
  readonly #chunks: Chunk[] = [];
  /** Ordinal of the first line of the first chunk. */
  #base = 0;
  #first = 0;
  #end = 0;

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
      this.#chunks.push(newChunk());
    }
    const chunk = this.#chunks.at(-1) as Chunk;
    chunk.starts[slot] = start;
    chunk.sequences[slot] = sequence;
    chunk.times[slot] = time;
    chunk.hexRows[slot] = hexRows;
    chunk.flags[slot] = flags;
    this.#end++;
  }

  /** Replaces the flags of the newest line. The index must not be empty. */
  setLastFlags(flags: number): void {
    const chunk = this.#chunks.at(-1) as Chunk;
    chunk.flags[(this.#end - 1 - this.#base) & SLOT_MASK] = flags;
  }

  /**
   * Returns the same as `get('starts', ordinal)`. It runs for each line that is read, where a column's name would
   * have to be looked up each time.
   */
  startOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    return this.#chunks[slot >>> CHUNK_BITS]?.starts[slot & SLOT_MASK] ?? Number.NaN;
  }

  /** Returns the same as `get('sequences', ordinal)`, for the same reason as `startOf`. */
  sequenceOf(ordinal: number): number {
    const slot = ordinal - this.#base;
    return this.#chunks[slot >>> CHUNK_BITS]?.sequences[slot & SLOT_MASK] ?? Number.NaN;
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
    const slot = ordinal - this.#base;
    return this.#chunks[slot >>> CHUNK_BITS]?.[column][slot & SLOT_MASK] ?? Number.NaN;
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

function newChunk(): Chunk {
  return {
    starts: new Float64Array(CHUNK_LINES),
    sequences: new Float64Array(CHUNK_LINES),
    times: new Float64Array(CHUNK_LINES),
    hexRows: new Float64Array(CHUNK_LINES),
    flags: new Uint8Array(CHUNK_LINES),
  };
}
