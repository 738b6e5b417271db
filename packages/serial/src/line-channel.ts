/**
 * One stream of the timeline: its last bytes, divided into lines by a splitter (`framing/`). The bytes stay as they arrived;
 * what a row shows of them is `line-bytes.ts`, and how text is shown `line-text.ts`.
 * The last line is there from its first byte on, before it has an end. Knows no screen and no other channel.
 */
import { ByteRing } from './byte-ring.ts';
import type { ChannelIdentity, SequenceCounter } from './channel-name.ts';
import { DecodedLines } from './framing/decoded-lines.ts';
import { endingFlags, endingIn, faultFlags, faultIn } from './framing/frame-flags.ts';
import { lineEndingLength, NewlineSplitter } from './framing/newline.ts';
import type { DecodeFrame, FrameFault, Splitter } from './framing/splitter.ts';
import { hexRowsOf } from './hex-rows.ts';
import { LineIndex } from './line-index.ts';
import type { RowLayout } from './timeline-rows.ts';

/** A line that outgrows this share of its ring is cut there, so that one endless line never drives out itself. */
const LINE_SHARE = 4;

export class LineChannel {
  readonly identity: ChannelIdentity;
  /** Its lines are bytes that were received or sent: notices have other flags. */
  readonly #framed: boolean;
  readonly #counter: SequenceCounter;
  readonly #index = new LineIndex();
  #ring: ByteRing;
  #open = false;
  #splitter: Splitter = new NewlineSplitter();
  /** Why what comes until the end of the frame at hand is only the rest of one; null when it is all of it. */
  #rest: FrameFault | null = null;
  readonly #decoded = new DecodedLines();
  /** Bytes of the newest line's content where it is decoded. */
  #decodedLength: number | null = null;
  /** Stretches of lines that passed before this bench was here, by their ordinals. */
  readonly #earlier: { readonly from: number; end: number }[] = [];
  #dropped = 0;
  /** What was here before it was cleared, as long as that can be undone: its oldest line, and the lines dropped before. */
  #cleared: { readonly first: number; readonly dropped: number } | null = null;

  constructor(identity: ChannelIdentity, counter: SequenceCounter, ringBytes: number) {
    this.identity = identity;
    this.#framed = identity.direction !== 'notice';
    this.#counter = counter;
    this.#ring = new ByteRing(ringBytes);
  }

  /** As a `LineSource`, the channel shows all of its lines. */
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

  /** Divides what is appended from now on. Text goes on in the line that is open; a frame begins with its own first byte. */
  splitWith(splitter: Splitter): void {
    if (this.#splitter.unfinished !== null || splitter.unfinished !== null) {
      this.finishLine();
    } else if (this.#open) {
      // A \r at the end of the open line belongs to the ending if a \n comes next.
      const { end } = this.#ring;
      splitter.next(this.#ring.view(end - 1, end), 0, 1);
    }
    this.#splitter = splitter;
  }

  /** Appends a piece of an endless stream, as it was cut by whoever read it. */
  append(bytes: Uint8Array, at: number): void {
    const most = this.#mostLineBytes;
    if (bytes.length <= most) {
      // Nearly every chunk: without a view of its own, which costs as much as a short line.
      this.#appendPiece(bytes, at);
      return;
    }
    for (let from = 0; from < bytes.length; from += most) {
      this.#appendPiece(bytes.subarray(from, from + most), at);
    }
  }

  /** Appends bytes that are one line whatever is in them; more than fit a line become several. @param flags of a notice. */
  appendEntry(bytes: Uint8Array, at: number, flags = 0): void {
    const most = this.#mostLineBytes;
    for (let from = 0; from === 0 || from < bytes.length; from += most) {
      const piece = bytes.subarray(from, from + most);
      this.#makeRoom(piece.length);
      this.#beginLine(this.#ring.end, at, this.#framed ? endingFlags(lineEndingLength(piece)) : flags);
      this.#ring.write(piece);
      this.#open = false;
    }
  }

  /** Appends one line that passed before this bench was here. `LineFeed` leaves it out. The open line must be finished. */
  appendEarlier(bytes: Uint8Array, at: number): void {
    const from = this.endLine;
    this.appendEntry(bytes, at);
    const last = this.#earlier.at(-1);
    if (last?.end === from) {
      last.end = this.endLine;
    } else {
      this.#earlier.push({ from, end: this.endLine });
    }
  }

  /** Returns the first of the lines from `ordinal` on that did not pass before this bench was here. */
  afterEarlier(ordinal: number): number {
    return this.#earlier.find(({ from, end }) => ordinal >= from && ordinal < end)?.end ?? ordinal;
  }

  /** Returns the ordinal of the next line from `ordinal` on that passed before this bench was here; infinity for none. */
  nextEarlier(ordinal: number): number {
    return this.#earlier.find(({ from }) => from >= ordinal)?.from ?? Number.POSITIVE_INFINITY;
  }

  /** The open line gets no more: what comes next begins a new one. */
  finishLine(): void {
    const { unfinished } = this.#splitter;
    if (this.#open && unfinished !== null) {
      this.#index.setLastFlags(faultFlags(this.#rest ?? unfinished));
    }
    this.#open = false;
    this.#rest = null;
    this.#splitter.restart();
  }

  /** Drops all lines from view and restarts the count of dropped ones. They stay in memory until that is needed or `forgetCleared`. */
  clear(): void {
    this.#cleared ??= { first: this.firstLine, dropped: this.#dropped };
    this.#index.holdFrom(this.endLine);
    if (this.#open) {
      this.#leaveLine('incomplete');
    }
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
      this.#ring.free();
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
    return this.#index.startOf(ordinal);
  }

  /** Offset after the last byte of a line, its ending included. */
  endOf(ordinal: number): number {
    return ordinal + 1 < this.#index.end ? this.#index.startOf(ordinal + 1) : this.#ring.end;
  }

  /** Offset after the last byte of a line's text, where its line ending begins. */
  textEndOf(ordinal: number): number {
    return this.endOf(ordinal) - this.endingOf(ordinal);
  }

  /** Bytes of a line's ending. */
  endingOf(ordinal: number): number {
    return this.#framed
      ? endingIn(this.flagsOf(ordinal))
      : lineEndingLength(this.#ring.view(this.startOf(ordinal), this.endOf(ordinal)));
  }

  /** Fault of the frame; null for none. */
  faultOf(ordinal: number): FrameFault | null {
    return this.#framed ? faultIn(this.flagsOf(ordinal)) : null;
  }

  /** What the content of a line is decoded with; null when it is the bytes themselves. */
  decoderOf(ordinal: number): DecodeFrame | null {
    return this.#framed ? this.#decoded.decoderFor(this.flagsOf(ordinal)) : null;
  }

  /** False when none of the lines from `from` up to `to` has decoded content. */
  mayBeDecoded(from: number, to: number): boolean {
    return this.#decoded.mayHave(from, to);
  }

  sequenceOf(ordinal: number): number {
    return this.#index.sequenceOf(ordinal);
  }

  timeOf(ordinal: number): number {
    return this.#index.timeOf(ordinal);
  }

  flagsOf(ordinal: number): number {
    return this.#index.flagsOf(ordinal);
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

  /** Rows of the hex layout that a line takes. */
  hexRowsOf(ordinal: number): number {
    return this.#hexRowsBefore(ordinal + 1) - this.#hexRowsBefore(ordinal);
  }

  get #mostLineBytes(): number {
    return Math.floor(this.#ring.capacity / LINE_SHARE);
  }

  #appendPiece(bytes: Uint8Array, at: number): void {
    this.#makeRoom(bytes.length);
    const offset = this.#ring.end;
    const most = this.#mostLineBytes;
    const splitter = this.#splitter;
    const { decode } = splitter;
    this.#ring.write(bytes);
    let position = 0;
    let start = this.#open ? this.startOf(this.#index.end - 1) : offset;
    while (position < bytes.length) {
      if (!this.#open) {
        if (bytes[position] === splitter.trailing && this.#extendEnding(offset + position)) {
          splitter.restart();
          position++;
          continue;
        }
        start = offset + position;
      }
      // In a ring that was made smaller the open line may be too long already.
      const limit = Math.max(position, start + most - offset);
      const to = Math.min(limit, bytes.length);
      const end = to > position ? splitter.next(bytes, position, to) : -1;
      const goesOn = end === -1 && bytes.length <= limit;
      // Most lines: text, whose flags are nothing but the length of its ending.
      const isPlain = end === -1 || (decode === null && splitter.fault === null && this.#rest === null);
      const flags = isPlain ? endingFlags(splitter.ending) : this.#frameFlags();
      if (this.#open) {
        this.#index.setLastFlags(flags);
      } else {
        this.#beginLine(start, at, flags);
      }
      if (!isPlain) {
        this.#endFrame();
      } else if (end === -1 && !goesOn) {
        this.#leaveLine('too-long');
      }
      this.#open = goesOn;
      position = end === -1 ? to : end;
    }
  }

  /** Adds the byte at `offset` to the ending of the newest line. False when that line is full or no longer known. */
  #extendEnding(offset: number): boolean {
    const last = this.#index.end - 1;
    if (last < this.#index.oldest || offset - this.startOf(last) >= this.#mostLineBytes) {
      return false;
    }
    this.#index.setLastFlags(endingFlags(endingIn(this.flagsOf(last)) + 1));
    return true;
  }

  /** Of the frame whose end the splitter found. */
  #frameFlags(): number {
    const { ending, fault, decode } = this.#splitter;
    if (this.#rest !== null) {
      return faultFlags(this.#rest);
    }
    if (fault !== null) {
      return faultFlags(fault);
    }
    return decode === null ? endingFlags(ending) : this.#decoded.flagsFor(decode);
  }

  /** The newest line is a whole frame, or what is left of one. */
  #endFrame(): void {
    const { fault, decode, decodedLength } = this.#splitter;
    if (decode !== null && fault === null && this.#rest === null) {
      this.#decodedLength = decodedLength;
      this.#decoded.add(this.#index.end - 1);
    }
    this.#rest = null;
  }

  /** The open line ends here, although its frame does not. */
  #leaveLine(fault: FrameFault): void {
    this.#open = false;
    if (this.#splitter.unfinished === null) {
      this.#splitter.restart();
    } else {
      this.#rest ??= fault;
      this.#index.setLastFlags(faultFlags(this.#rest));
    }
  }

  #beginLine(start: number, at: number, flags: number): void {
    this.#index.push(start, this.#counter.next++, at, this.#hexRowsBefore(this.#index.end, start), flags);
    this.#decodedLength = null;
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
    return this.#index.get('hexRows', last) + hexRowsOf(this.#decodedLength ?? end - this.startOf(last));
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
    while (keep < index.end && index.startOf(keep) < offset) {
      keep++;
    }
    if (keep === index.first) {
      return;
    }
    if (keep === index.end && this.#open) {
      this.#leaveLine('too-long');
    }
    this.#dropped += keep - index.first;
    index.dropBefore(keep);
  }
}
