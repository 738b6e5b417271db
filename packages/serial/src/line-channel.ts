/**
 * One stream of the time line: its last bytes, split into lines. A line ends with `\n`, unless silences alone end it
 * (`framing.ts`); the `\r` of a `\r\n` belongs to the ending and a lone `\r` to the line, so a progress bar is one line that
 * grows (see `line-text.ts` for how it is shown).
 * The last line is there from its first byte on, before it has an end. Knows no screen and no other channel.
 */
import { ByteRing } from './byte-ring.ts';
import type { ChannelName } from './channel-name.ts';
import { LineIndex } from './line-index.ts';
import type { PortNumber } from './port-settings.ts';
import type { RowLayout } from './timeline-rows.ts';

const NEWLINE = 0x0a;
/** Bytes of a row in the hex layout. */
export const hexRowBytes = 16;
/** A line that outgrows this share of its ring is cut there, so that one endless line never drives out itself. */
const LINE_SHARE = 4;

/** Hands out the numbers that put the lines of all channels into one order. */
export interface SequenceCounter {
  next: number;
}

export interface ChannelIdentity {
  readonly name: ChannelName;
  /** Null for the notices, whose port stands in their flags. */
  readonly port: PortNumber | null;
  readonly direction: 'received' | 'sent' | 'notice';
}

export class LineChannel {
  readonly identity: ChannelIdentity;
  /** Whether what is appended from now on is split at newlines. */
  splitsNewlines = true;
  readonly #counter: SequenceCounter;
  readonly #index = new LineIndex();
  #ring: ByteRing;
  #open = false;
  #dropped = 0;
  /** What stood here before it was cleared, as long as that can be undone: its oldest line, and the lines dropped before. */
  #cleared: { readonly first: number; readonly dropped: number } | null = null;

  constructor(identity: ChannelIdentity, counter: SequenceCounter, ringBytes: number) {
    this.identity = identity;
    this.#counter = counter;
    this.#ring = new ByteRing(ringBytes);
  }

  /** A time line shows the lines of a channel, or some of them (`LineSource` in `timeline.ts`): here it is all. */
  get channel(): LineChannel {
    return this;
  }

  get ring(): ByteRing {
    return this.#ring;
  }

  /** Ordinal of the oldest line held. */
  get firstLine(): number {
    return this.#index.first;
  }

  /** Ordinal after the newest line: how many lines there have ever been. */
  get endLine(): number {
    return this.#index.end;
  }

  get lines(): number {
    return this.#index.end - this.#index.first;
  }

  /** Lines that had to leave the full ring since the last `clear`. */
  get droppedLines(): number {
    return this.#dropped;
  }

  /** Offset of the oldest byte held. */
  get start(): number {
    return this.lines === 0 ? this.#ring.end : this.startOf(this.firstLine);
  }

  /** Takes the memory now. Throws a RangeError when there is none. */
  reserve(): void {
    this.#ring.reserve();
  }

  /** Appends a piece of an endless stream, as it was cut by whoever read it. */
  append(bytes: Uint8Array, at: number): void {
    const most = this.#mostLineBytes;
    for (let from = 0; from < bytes.length; from += most) {
      this.#appendPiece(bytes.subarray(from, from + most), at);
    }
  }

  /** Appends bytes that are one line whatever is in them; more than fit a line become several. */
  appendEntry(bytes: Uint8Array, at: number, flags = 0): void {
    const most = this.#mostLineBytes;
    for (let from = 0; from === 0 || from < bytes.length; from += most) {
      const piece = bytes.subarray(from, from + most);
      this.#makeRoom(piece.length);
      this.#beginLine(this.#ring.end, at, flags);
      this.#ring.write(piece);
      this.#open = false;
    }
  }

  /** The open line gets no more: what comes next begins a new one. */
  finishLine(): void {
    this.#open = false;
  }

  /**
   * Holds no line any more, and counts dropped lines from 0 again. The cleared lines stay in the memory until `forgetCleared`, or
   * until what comes next needs their place: this takes no memory of its own.
   */
  clear(): void {
    this.#cleared ??= { first: this.firstLine, dropped: this.#dropped };
    this.#index.holdFrom(this.endLine);
    this.#open = false;
    this.#dropped = 0;
  }

  /** Holds the lines again that were cleared and are still in the memory, before those that came since; the rest was dropped. */
  restoreCleared(): void {
    const cleared = this.#cleared;
    if (cleared === null) {
      return;
    }
    const first = this.#firstKept();
    this.#index.holdFrom(first);
    this.#dropped = cleared.dropped + first - cleared.first;
    this.#cleared = null;
  }

  /** What was cleared is gone for good; the memory is given back when nothing else is in it. */
  forgetCleared(): void {
    if (this.#cleared === null) {
      return;
    }
    this.#cleared = null;
    this.#index.dropBefore(this.firstLine);
    if (this.lines === 0) {
      this.#ring.release();
    }
  }

  /** Keeps the newest lines that fit. Throws a RangeError, and changes nothing, when there is no memory for it. */
  resize(ringBytes: number): void {
    if (ringBytes === this.#ring.capacity) {
      return;
    }
    const ring = new ByteRing(ringBytes);
    const fits = this.#ring.end - ringBytes;
    if (this.#firstKept() < this.endLine) {
      ring.reserve();
      this.#dropBefore(fits);
    }
    const kept = this.#firstKept();
    const from = kept < this.endLine ? this.startOf(kept) : this.start;
    ring.takeOver(this.#ring, Math.max(from, fits));
    this.#ring = ring;
  }

  ordinalOf(ordinal: number): number {
    return ordinal;
  }

  startOf(ordinal: number): number {
    return this.#index.get('starts', ordinal);
  }

  /** Offset after the last byte of a line, its ending included. */
  endOf(ordinal: number): number {
    return ordinal + 1 < this.#index.end ? this.#index.get('starts', ordinal + 1) : this.#ring.end;
  }

  sequenceOf(ordinal: number): number {
    return this.#index.get('sequences', ordinal);
  }

  timeOf(ordinal: number): number {
    return this.#index.get('times', ordinal);
  }

  flagsOf(ordinal: number): number {
    return this.#index.get('flags', ordinal);
  }

  /** Whether the line may still grow. */
  isOpen(ordinal: number): boolean {
    return this.#open && ordinal + 1 === this.#index.end;
  }

  /** The first line held whose sequence number is not below `sequence`; `endLine` when there is none. */
  lineAtSequence(sequence: number, low?: number, high?: number): number {
    return this.#index.lowerBound('sequences', sequence, low, high);
  }

  /** The line that the byte at `offset`, which must be held, belongs to. */
  lineAtOffset(offset: number, low?: number, high?: number): number {
    return this.#index.lowerBound('starts', offset + 1, low, high) - 1;
  }

  /** Rows of the lines held before `ordinal`. */
  rowsBefore(ordinal: number, layout: RowLayout): number {
    const first = this.#index.first;
    if (layout === 'text' || ordinal === first) {
      return ordinal - first;
    }
    return this.#hexRowsBefore(ordinal) - this.#index.get('hexRows', first);
  }

  rows(layout: RowLayout): number {
    return this.rowsBefore(this.#index.end, layout);
  }

  get #mostLineBytes(): number {
    return Math.floor(this.#ring.capacity / LINE_SHARE);
  }

  #appendPiece(bytes: Uint8Array, at: number): void {
    this.#makeRoom(bytes.length);
    const offset = this.#ring.end;
    const most = this.#mostLineBytes;
    this.#ring.write(bytes);
    let position = 0;
    let start = this.#open ? this.startOf(this.#index.end - 1) : offset;
    while (position < bytes.length) {
      if (!this.#open) {
        start = offset + position;
        this.#beginLine(start, at, 0);
      }
      const newline = this.splitsNewlines ? bytes.indexOf(NEWLINE, position) : -1;
      const end = newline === -1 ? bytes.length : newline + 1;
      // A ring that became smaller may hold an open line that is too long already: it is cut where it stands.
      const limit = Math.max(position, start + most - offset);
      this.#open = newline === -1 && end <= limit;
      position = Math.min(end, limit);
    }
  }

  #beginLine(start: number, at: number, flags: number): void {
    this.#index.push(start, this.#counter.next++, at, this.#hexRowsBefore(this.#index.end, start), flags);
    this.#open = true;
  }

  /** Hex rows of all lines before `ordinal`, which may be `endLine`, since the channel began. */
  #hexRowsBefore(ordinal: number, end = this.#ring.end): number {
    if (ordinal < this.#index.end) {
      return this.#index.get('hexRows', ordinal);
    }
    const last = ordinal - 1;
    // Lines that were cleared count on: they may come back.
    if (last < this.#index.oldest) {
      return 0;
    }
    return this.#index.get('hexRows', last) + hexRowsOf(end - this.startOf(last));
  }

  /** The oldest line, held or cleared, of which all bytes are still in the memory. */
  #firstKept(): number {
    if (this.#cleared === null) {
      return this.firstLine;
    }
    const known = Math.max(this.#cleared.first, this.#index.oldest);
    return this.#index.lowerBound('starts', this.#ring.start, known, this.firstLine);
  }

  #makeRoom(bytes: number): void {
    this.#dropBefore(this.#ring.end + bytes - this.#ring.capacity);
  }

  /** Lets go of every line that begins before `offset`. */
  #dropBefore(offset: number): void {
    const index = this.#index;
    let keep = index.first;
    while (keep < index.end && index.get('starts', keep) < offset) {
      keep++;
    }
    if (keep === index.first) {
      return;
    }
    this.#dropped += keep - index.first;
    index.dropBefore(keep);
    if (keep === index.end) {
      this.#open = false;
    }
  }
}

/** Rows of 16 bytes that a line of `length` bytes takes: at least one. */
export function hexRowsOf(length: number): number {
  return Math.max(1, Math.ceil(length / hexRowBytes));
}
