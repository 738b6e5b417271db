/**
 * Cuts a stream into frames, broken frames and left-over bytes. At each position the first matcher that finds a frame
 * wins. After a broken frame it looks again from the byte after its start: a right frame inside ends the broken one.
 */
import type { FrameCutter, Piece, PieceKind } from './frame-types.ts';
import { UNDECIDED } from './steps/step-types.ts';

/** Finds frames of one decoder. */
export interface Matcher {
  /** First bytes that a frame may have; null: any. */
  readonly firstBytes: readonly number[] | null;
  /** True: a broken frame of it is not searched for other frames, because its end is marked in the stream. */
  readonly isDelimited: boolean;
  /**
   * Looks for a frame at `from`.
   *
   * @param base Position of `bytes[0]` in the stream.
   * @param isLast True: no more bytes come, so the result is not UNDECIDED.
   * @returns Length of a right frame, UNDECIDED, NONE, −length of a broken one (at most −2), or `leftOver(length)`.
   */
  match(bytes: Uint8Array, from: number, to: number, base: number, isLast: boolean): number;
  /** True: its frames have no checksum, but others of its decoder do. None is looked for inside of a broken frame. */
  readonly isUnchecked?: boolean;
  /** Returns the number of line ends or marks before a frame at `from`, which may be older than it. */
  lead?(bytes: Uint8Array, from: number, to: number): number;
  /** See `StepParts.settle`. */
  settle?(bytes: Uint8Array, from: number, to: number, boundaries: readonly number[], isFirst: boolean): number;
}

/** Above the length of any frame. */
const FAR = 1 << 24;

/** Result of a matcher for bytes that are no frame, up to a delimiter. */
export function leftOver(length: number): number {
  return -(length + FAR);
}

/** Left-over bytes that are held, so that they are one piece. */
const MAX_HELD = 4_096;

/** Silence in ms before which bytes count as one run. */
const RUN_SILENCE = 2;

/** Longest silence inside a frame of a serial bus, in characters (MODBUS over Serial Line V1.02, section 2.5.1.1). */
const LINE_SILENCE = 3.5;

/**
 * Work that checksums may cost: bytes read for each byte pushed, and at the start. It bounds the time for streams that
 * seem to begin a long frame at each byte. Frames up to `FREE_LENGTH` are always checked.
 */
const WORK_FOR_EACH_BYTE = 64;
const FIRST_WORK = 1 << 20;
const MAX_WORK = 1 << 24;
const FREE_LENGTH = 512;

/** Pays for checksums of long frames. */
export class Budget {
  #left = FIRST_WORK;

  /** Returns false if a check of so many bytes costs too much. */
  pay(length: number): boolean {
    if (length > FREE_LENGTH && length > this.#left) {
      return false;
    }
    this.#left = Math.max(0, this.#left - length);
    return true;
  }

  /** True: a check of a long frame costs too much. */
  get isSpent(): boolean {
    return this.#left < FREE_LENGTH;
  }

  earn(bytes: number): void {
    this.#left = Math.min(MAX_WORK, this.#left + WORK_FOR_EACH_BYTE * bytes);
  }
}

interface FoundPiece {
  readonly length: number;
  readonly kind: PieceKind;
  readonly lead: number;
}

export interface CutterOptions {
  /** Silence in ms that decides about waiting bytes. */
  readonly ms: number;
  /** Time of one byte in ms; 0: unknown. */
  readonly byteTime: number;
}

/** Bytes that came together. */
interface Chunk {
  /** Position of its first byte in the stream. */
  readonly start: number;
  readonly at: number;
  /** Time without a byte before it, in ms. */
  readonly silence: number;
}

export class StreamCutter implements FrameCutter {
  readonly #matchers: readonly Matcher[];
  readonly #budget: Budget;
  readonly #ms: number;
  readonly #byteTime: number;
  /** Matchers by first byte. */
  readonly #byFirst: readonly (readonly Matcher[])[];
  #bytes = new Uint8Array(1_024);
  /** Position of the buffer's first byte in the stream. */
  #base = 0;
  /** First byte that is in no piece yet, first one that may begin a frame, and end of the bytes, in the buffer. */
  #start = 0;
  #scan = 0;
  #end = 0;
  /** Positions in the stream that no frame crosses. */
  #walls: number[] = [];
  #chunks: Chunk[] = [];
  /** Index of the chunk that has the byte at `#start`. */
  #chunk = 0;
  /** Time after the last byte. */
  #until = 0;
  /** Broken frame that is searched for others; −1: none. */
  #brokenAt = -1;
  #brokenLength = 0;
  /** Piece that begins at `#scan`, found before the bytes in front of it were given out. */
  #found: FoundPiece | null = null;

  constructor(matchers: readonly Matcher[], budget: Budget, { ms, byteTime }: CutterOptions) {
    this.#matchers = matchers;
    this.#budget = budget;
    this.#ms = ms;
    this.#byteTime = byteTime;
    this.#byFirst = Array.from({ length: 256 }, (_, byte) =>
      matchers.filter(({ firstBytes }) => firstBytes?.includes(byte) ?? true),
    );
  }

  get deadline(): number | null {
    return this.#start === this.#end ? null : this.#until + this.#ms;
  }

  push(bytes: Uint8Array, from: number, to: number, at: number): void {
    if (from >= to) {
      return;
    }
    this.expire(at);
    this.#budget.earn(to - from);
    this.#makeRoom(to - from);
    const start = this.#base + this.#end;
    const last = this.#chunks.at(-1);
    if (last === undefined || last.at !== at || this.#byteTime > 0) {
      this.#chunks.push({ start, at, silence: last === undefined ? 0 : at - this.#until });
    }
    this.#bytes.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), this.#end);
    this.#end += to - from;
    this.#until = at + (to - from) * this.#byteTime;
  }

  expire(now: number): void {
    const { deadline } = this;
    if (deadline !== null && now >= deadline) {
      this.end();
    }
  }

  end(): void {
    const position = this.#base + this.#end;
    if (this.#start < this.#end && this.#walls.at(-1) !== position) {
      this.#walls.push(position);
    }
  }

  next(): Piece | null {
    for (;;) {
      if (this.#found !== null) {
        return this.#giveFound();
      }
      const wall = this.#walls[0];
      const limit = wall === undefined ? this.#end : wall - this.#base;
      if (wall !== undefined && limit <= this.#start) {
        this.#walls.shift();
        continue;
      }
      if (this.#start === limit) {
        return null;
      }
      const isDecided = this.#search(limit, wall !== undefined);
      if (this.#found === null) {
        const isTooMuch = this.#scan - this.#start > MAX_HELD && this.#brokenAt < 0;
        return isDecided || isTooMuch ? this.#giveRegion(this.#scan) : null;
      }
    }
  }

  /** Looks for the next piece. Returns true if all bytes up to `limit` are in none and must be given out. */
  #search(limit: number, isLast: boolean): boolean {
    const bytes = this.#bytes;
    for (let at = this.#scan; at < limit; at++) {
      if (this.#brokenAt >= 0 && at >= this.#brokenAt + this.#brokenLength) {
        this.#findBroken();
        return false;
      }
      // A frame of a later decoder wins over bytes that an earlier one only has up to its delimiter.
      let delimited = 0;
      for (const matcher of this.#byFirst[bytes[at] as number] as readonly Matcher[]) {
        if (this.#brokenAt >= 0 && matcher.isUnchecked === true) {
          continue;
        }
        const result = matcher.match(bytes, at, limit, this.#base, isLast);
        if (result === UNDECIDED && !isLast) {
          this.#scan = at;
          return false;
        }
        if (result > 0) {
          this.#scan = at;
          const lead = matcher.lead?.(bytes, at, at + result) ?? 0;
          this.#found = { length: result, kind: 'frame', lead: lead < result ? lead : 0 };
          return false;
        }
        if (result < -1) {
          if (matcher.isDelimited || result <= -FAR) {
            delimited = delimited === 0 ? result : delimited;
          } else if (this.#brokenAt < 0) {
            this.#brokenAt = at;
            this.#brokenLength = -result;
          }
        }
      }
      if (delimited !== 0) {
        this.#scan = at;
        const isLeftOver = delimited <= -FAR;
        const length = isLeftOver ? -delimited - FAR : -delimited;
        this.#found = { length, kind: isLeftOver ? 'left-over' : 'broken', lead: 0 };
        return false;
      }
    }
    this.#scan = limit;
    if (this.#brokenAt >= 0 && (isLast || limit >= this.#brokenAt + this.#brokenLength)) {
      this.#findBroken();
      return false;
    }
    return isLast;
  }

  #findBroken(): void {
    this.#scan = this.#brokenAt;
    this.#found = { length: this.#brokenLength, kind: 'broken', lead: 0 };
    this.#brokenAt = -1;
  }

  /** Gives out what is in front of the piece that was found, then the piece. */
  #giveFound(): Piece {
    if (this.#start < this.#scan) {
      return this.#giveRegion(this.#scan);
    }
    const { length, kind, lead } = this.#found as FoundPiece;
    this.#found = null;
    return this.#give(length, kind, lead);
  }

  /** Gives out the first piece of bytes in which no matcher found a frame. */
  #giveRegion(to: number): Piece {
    if (this.#brokenAt === this.#start) {
      this.#brokenAt = -1;
      return this.#give(Math.min(this.#brokenLength, to - this.#start), 'broken');
    }
    const end = this.#brokenAt > this.#start ? Math.min(this.#brokenAt, to) : to;
    for (const matcher of this.#matchers) {
      if (matcher.settle !== undefined) {
        const boundaries = this.#boundaries(end);
        const isFirst = this.#base + this.#start === 0;
        const result = matcher.settle(this.#bytes, this.#start, end, boundaries, isFirst);
        if (result > 0) {
          return this.#give(result, 'frame');
        }
        return result < -1
          ? this.#give(-result, 'broken')
          : this.#give((boundaries[0] ?? end) - this.#start, 'left-over');
      }
    }
    return this.#give(end - this.#start, 'left-over');
  }

  /** Returns the offsets between `#start` and `to` at which bytes came after a silence. */
  #boundaries(to: number): number[] {
    const offsets: number[] = [];
    for (let index = this.#chunk + 1; index < this.#chunks.length; index++) {
      const { start, silence } = this.#chunks[index] as Chunk;
      const offset = start - this.#base;
      if (offset >= to) {
        break;
      }
      if (silence >= RUN_SILENCE && offset > this.#start) {
        offsets.push(offset);
      }
    }
    return offsets;
  }

  /** @param lead Bytes before the one whose time is that of the piece. */
  #give(length: number, kind: PieceKind, lead = 0): Piece {
    const at = this.#timeOf(this.#start + lead);
    const grain = this.#grainOf(this.#start + length);
    const until = Math.max(this.#timeOf(this.#start + length - 1) + this.#byteTime, grain);
    this.#start += length;
    this.#scan = Math.max(this.#scan, this.#start);
    if (this.#brokenAt < this.#start) {
      this.#brokenAt = -1;
    }
    if (this.#start === this.#end) {
      this.#base += this.#end;
      this.#start = 0;
      this.#scan = 0;
      this.#end = 0;
      this.#walls = [];
      this.#chunks = [];
      this.#chunk = 0;
      this.#brokenAt = -1;
    }
    return { length, kind, at, until };
  }

  /**
   * Returns the end of a piece whose chunks an adapter held back: inside it is a silence of more characters than the line
   * may have, or bytes came before those in front of them could be through. Its bytes may then have been on the line until
   * the next delivery, one interval after the last. 0: the chunks have the times of the line.
   *
   * @param end Offset after the last byte of the piece, which begins in the current chunk.
   */
  #grainOf(end: number): number {
    let burst = this.#chunks[this.#chunk]?.at ?? 0;
    let interval = 0;
    for (let index = this.#chunk + 1; this.#byteTime > 0 && index < this.#chunks.length; index++) {
      const { start, at, silence } = this.#chunks[index] as Chunk;
      if (start - this.#base >= end) {
        break;
      }
      if (silence > LINE_SILENCE * this.#byteTime || silence < -0.5 * this.#byteTime) {
        interval = at - burst;
        burst = at;
      }
    }
    return interval === 0 ? 0 : burst + interval;
  }

  /** Returns the time of a byte that is not before the last one asked for. */
  #timeOf(offset: number): number {
    const position = this.#base + offset;
    while ((this.#chunks[this.#chunk + 1]?.start ?? Number.POSITIVE_INFINITY) <= position) {
      this.#chunk++;
    }
    const { start, at } = this.#chunks[this.#chunk] as Chunk;
    return at + (position - start) * this.#byteTime;
  }

  /** Moves the waiting bytes to the front of a buffer that has room for `length` more. */
  #makeRoom(length: number): void {
    const held = this.#end - this.#start;
    if (this.#end + length <= this.#bytes.length) {
      return;
    }
    const size = held + length;
    const isSmall = size > this.#bytes.length || size < this.#bytes.length / 8;
    const target = isSmall ? new Uint8Array(2 * size) : this.#bytes;
    target.set(this.#bytes.subarray(this.#start, this.#end), 0);
    this.#bytes = target;
    this.#base += this.#start;
    this.#scan -= this.#start;
    if (this.#brokenAt >= 0) {
      this.#brokenAt -= this.#start;
    }
    this.#end = held;
    this.#start = 0;
    this.#chunks.splice(0, this.#chunk);
    this.#chunk = 0;
  }
}
