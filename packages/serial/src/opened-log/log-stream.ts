/**
 * Reads a log file from an offset on, slice by slice. A slice ends with a line, so lines are the same for every size of
 * slice.
 */

import { LogClock } from './log-clock.ts';
import { afterFirstLine, afterLastLine, type LogEncoding } from './log-encoding.ts';
import { type LogForm, LogLinesReader } from './log-lines-reader.ts';
import type { LogPiece } from './log-piece.ts';

/** File that holds a log. */
export interface LogSource {
  /** In bytes. */
  readonly size: number;
  /** Returns the bytes from `from` up to `to`, which is at most `size`. */
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Bytes of a slice. */
const SLICE_BYTES = 1 << 20;
/** Smallest number of slices that fill the room for lines. */
const SHARES = 8;
/** Bytes after which a line is cut, so that a file without newlines is read in parts. Its rest continues the line in the log. */
const LONGEST_LINE = 1 << 20;

export interface LogStreamOptions {
  /** Offset of the first byte: the start of a line. Default: the first after the byte order mark. */
  readonly from?: number;
  /** Most bytes of received and of sent lines. The stream ends before the slice that exceeds one of them. */
  readonly most?: { readonly received: number; readonly sent: number };
  /** A time on the day of the first line, for logs without dates. */
  readonly day?: number;
  /** Bytes of a slice. Tests choose other sizes. */
  readonly sliceBytes?: number;
}

export class LogStream {
  readonly #source: LogSource;
  readonly #form: LogForm;
  readonly #reader: LogLinesReader;
  readonly #clock: LogClock;
  readonly #sliceBytes: number;
  readonly #room: { received: number; sent: number };
  #at: number;
  #isLineStart = true;
  /** True: the next slice is the first, which is returned even if it is larger than the room for it. */
  #isFirst = true;
  #isCut = false;

  constructor(source: LogSource, form: LogForm, options: LogStreamOptions = {}) {
    const { from = form.mark, most, day = 0, sliceBytes = SLICE_BYTES } = options;
    this.#source = source;
    this.#form = form;
    this.#clock = new LogClock(day);
    this.#reader = new LogLinesReader(form, this.#clock);
    this.#sliceBytes = Math.min(sliceBytes, Math.max(1, Math.floor((most?.received ?? sliceBytes * SHARES) / SHARES)));
    this.#room = { received: Number.POSITIVE_INFINITY, sent: Number.POSITIVE_INFINITY, ...most };
    this.#at = Math.max(from, form.mark);
  }

  /** Offset in the file after the pieces that were returned. */
  get at(): number {
    return this.#at;
  }

  /** Facts about the days of the lines so far. */
  get clock(): Pick<LogClock, 'days' | 'isUnsteady' | 'lacksDates' | 'isRelative'> {
    return this.#clock;
  }

  /** True: the rest did not fit `most`. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * Returns the pieces of the next slice; null at the end. Rejects if the file cannot be read.
   *
   * @param isWanted Returns false for text in UTF-8 whose lines are left out.
   */
  async next(isWanted?: (text: Uint8Array) => boolean): Promise<LogPiece[] | null> {
    if (this.#isCut || this.#at >= this.#source.size) {
      return null;
    }
    const slice = await this.#slice();
    const pieces = this.#reader.read(slice.bytes, this.#isLineStart, isWanted);
    let sent = 0;
    let received = 0;
    for (const { direction, from, to } of pieces) {
      if (direction === 'sent') {
        sent += to - from;
      } else {
        received += to - from;
      }
    }
    this.#room.received -= received;
    this.#room.sent -= sent;
    if (!this.#isFirst && (this.#room.received < 0 || this.#room.sent < 0)) {
      this.#isCut = true;
      return null;
    }
    this.#isFirst = false;
    this.#at += slice.bytes.length;
    this.#isLineStart = slice.isWhole;
    return pieces;
  }

  /** Reads a slice up to the end of its last line, or a part of a line that is too long. */
  async #slice(): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: boolean }> {
    const { size } = this.#source;
    const { encoding } = this.#form;
    for (let length = this.#sliceBytes; ; length *= 2) {
      const to = Math.min(size, this.#at + length);
      const bytes = await this.#source.read(this.#at, to);
      if (to === size || encoding === 'bytes') {
        return { bytes, isWhole: true };
      }
      const end = afterLastLine(bytes, encoding);
      if (end > 0) {
        return { bytes: bytes.subarray(0, end), isWhole: true };
      }
      if (length >= LONGEST_LINE) {
        return { bytes: bytes.subarray(0, cutLength(bytes, encoding)), isWhole: false };
      }
    }
  }
}

/** Returns the length of the whole characters, which are at most two units of UTF-16 each. */
function cutLength(bytes: Uint8Array, encoding: LogEncoding): number {
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') {
    return bytes.length;
  }
  const even = bytes.length & ~1;
  const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
  return high >= 0xd8 && high <= 0xdb ? even - 2 : even;
}

/** Returns the offset of the first line that begins at `offset` or later, or the end of the file. */
export async function lineFrom(source: LogSource, form: LogForm, offset: number): Promise<number> {
  const { size } = source;
  if (offset <= form.mark || form.encoding === 'bytes') {
    return Math.max(form.mark, Math.min(offset, size));
  }
  // A line that begins at `offset` has its newline right before it. UTF-16 needs both bytes of it.
  const wide = form.encoding === 'utf-16le' || form.encoding === 'utf-16be';
  const from = wide ? form.mark + ((offset - form.mark) & ~1) - 2 : offset - 1;
  const bytes = await source.read(from, Math.min(size, from + LONGEST_LINE));
  const after = afterFirstLine(bytes, form.encoding);
  return after === -1 ? Math.min(size, from + bytes.length) : from + after;
}
