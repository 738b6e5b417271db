/**
 * One stream of the timeline: its last bytes, divided into lines by a splitter (`framing/`). The bytes stay as they
 * arrived; `line-bytes.ts` has the bytes that a row shows, `line-text.ts` their text. The last line exists from its
 * first byte on, before it has an end.
 */
import { type ArrivalKind, ArrivalMarks } from './arrival-marks.ts';
import { blockTime, ownTime } from './block-time.ts';
import { ByteRing } from './byte-ring.ts';
import type { ChannelIdentity, SequenceCounter } from './channel-name.ts';
import type { ChannelDecoder, FramedLine } from './framing/channel-decoder.ts';
import { DecodedLines } from './framing/decoded-lines.ts';
import { endingFlags, endingIn, faultFlags, faultIn } from './framing/frame-flags.ts';
import { lineEndingLength, NewlineSplitter } from './framing/newline.ts';
import type { DecodeFrame, FrameFault, Splitter } from './framing/splitter.ts';
import { hexRowsOf } from './hex-rows.ts';
import { LineIndex } from './line-index.ts';
import { pieceBytes, type RowLayout } from './timeline-rows.ts';

/** Ordinals of one cut of the bytes. Those of the next cut are all above, so that an old ordinal is one of a line that is gone. */
const LINES_OF_CUT = 2 ** 40;

const LINE_FEED = 0x0a;
/** Fraction of the ring at which a line is cut, so that one endless line never overwrites itself. */
const LINE_SHARE = 4;

/** Most decoders whose lines are still read, after others were chosen. */
const MAX_DECODERS = 8;

/** Control bytes after which a terminal may rewrite a line: BEL ends a string, BS and CR go back, ESC begins a function. */
const rewriting: ReadonlySet<number> = new Set([0x07, 0x08, 0x0d, 0x1b]);

export class LineChannel {
  readonly identity: ChannelIdentity;
  /** False: the times of the lines are right, and their date is not known. Exports leave the date out. */
  isDated = true;
  /** True: the lines are received or sent bytes. Notices have other flags. */
  readonly #framed: boolean;
  readonly #counter: SequenceCounter;
  #index = new LineIndex();
  /** Arrivals of the kept bytes. A channel that is cut again shares them with its shadow. */
  #arrivals = new ArrivalMarks();
  #ring: ByteRing;
  #open = false;
  #splitter: Splitter = new NewlineSplitter();
  /** Cuts the bytes instead of the splitter; null without a decoder. */
  #decoder: ChannelDecoder | null = null;
  /** Decoders that have cut held lines, the newest first. */
  #decoders: readonly ChannelDecoder[] = [];
  /** Fault of the current frame if its start was lost or cut; null for an intact frame. */
  #rest: FrameFault | null = null;
  #decoded = new DecodedLines();
  /** Length of the newest line's content in bytes, if it is decoded. */
  #decodedLength: number | null = null;
  /** Stretches of lines that passed before this bench joined, by their ordinals. */
  #earlier: { readonly from: number; end: number }[] = [];
  #dropped = 0;
  /** Offset up to which the open line has no terminal controls; infinite once it has any. */
  #plainTo = 0;
  /** State before `clear`, while it can be undone: the oldest line, and the number of lines dropped before. */
  #cleared: { readonly first: number; readonly dropped: number } | null = null;

  constructor(identity: ChannelIdentity, counter: SequenceCounter, ringBytes: number) {
    this.identity = identity;
    this.#framed = identity.direction !== 'notice';
    this.#counter = counter;
    this.#ring = new ByteRing(ringBytes);
  }

  /** Returns a channel without lines, which cuts the kept bytes of `live` again in the same memory. */
  static shadowOf(live: LineChannel): LineChannel {
    const shadow = new LineChannel(live.identity, { next: 0 }, live.ring.capacity);
    shadow.#arrivals = live.#arrivals;
    shadow.#index = new LineIndex((Math.floor(live.endLine / LINES_OF_CUT) + 1) * LINES_OF_CUT);
    shadow.#ring = live.#ring.sharedTo(live.keptFrom);
    return shadow;
  }

  /** Shows the lines of a shadow that has cut all kept bytes, instead of the lines so far. */
  takeLines(shadow: LineChannel): void {
    const { start, keptFrom } = this;
    const isHidden = this.#cleared !== null;
    const dropped = this.#cleared?.dropped ?? 0;
    this.#index = shadow.#index;
    this.#open = shadow.#open;
    this.#splitter = shadow.#splitter;
    this.#decoder = shadow.#decoder;
    this.#decoders = shadow.#decoders;
    this.#rest = shadow.#rest;
    this.#decoded = shadow.#decoded;
    this.#decodedLength = shadow.#decodedLength;
    this.#plainTo = shadow.#plainTo;
    this.#earlier = [];
    if (isHidden) {
      const first = this.lineEndingAfter(keptFrom);
      this.#cleared = { first, dropped };
      this.#index.holdFrom(this.#index.lowerBound('starts', start, first));
    }
  }

  /** Goes on with the byte at `offset`, because the ones before it have left the ring that the shadow shares. */
  skipTo(offset: number, ring: ByteRing): void {
    this.#dropBefore(ring.start);
    if (offset > this.#ring.end) {
      this.#dropBefore(Number.POSITIVE_INFINITY);
      this.#ring = ring.sharedTo(offset);
    }
  }

  /** Arrivals of the bytes that were received or sent while the channel kept them. */
  get arrivals(): Pick<ArrivalMarks, 'covers' | 'at' | 'firstAt' | 'indexOfSequence'> {
    return this.#arrivals;
  }

  /** Offset of the oldest byte that is kept, that of cleared lines included. */
  get keptFrom(): number {
    const first = this.#firstKept();
    return first < this.endLine ? Math.max(this.startOf(first), this.#ring.start) : this.#ring.end;
  }

  /** Notes that `bytes` arrive now, before they are appended. */
  arrive(bytes: number, at: number, kind: ArrivalKind = 'bytes'): void {
    const from = this.#ring.end;
    const sequence = this.#counter.next;
    this.#counter.next += Math.max(1, bytes);
    this.#arrivals.add({ kind, from, to: from + bytes, at, sequence }, this.keptFrom);
  }

  /** Returns the first held line that ends after `offset`; `endLine` if there is none. */
  lineEndingAfter(offset: number): number {
    return offset >= this.#ring.end ? this.endLine : Math.max(this.firstLine, this.lineAtOffset(offset));
  }

  /** True: another decoder has cut the bytes again since the line with this ordinal was the newest. */
  isOfOlderCut(ordinal: number): boolean {
    return Math.floor(ordinal / LINES_OF_CUT) < Math.floor(this.endLine / LINES_OF_CUT);
  }

  /** For `LineSource`: the channel shows all of its lines. */
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

  /** Ordinal of the oldest line known, cleared ones included. */
  get oldestLine(): number {
    return this.#index.oldest;
  }

  /** Ordinal after the newest line: the number of lines since the channel began. */
  get endLine(): number {
    return this.#index.end;
  }

  get lines(): number {
    return this.#index.end - this.#index.first;
  }
  /** Lines dropped from the full ring since the last `clear`. */
  get droppedLines(): number {
    return this.#dropped;
  }
  /** Offset of the oldest byte held. */
  get start(): number {
    return this.lines === 0 ? this.#ring.end : this.startOf(this.firstLine);
  }

  /**
   * Allocates the memory now.
   *
   * @throws RangeError if there is not enough memory.
   */
  reserve(): void {
    this.#ring.reserve();
  }

  /**
   * Sets the splitter of the bytes from now on. Text continues in the open line; a frame begins with its own first
   * byte.
   */
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

  /**
   * Cuts the bytes from now on into the frames of a decoder; null: by the splitter again. What waits for its end becomes
   * a line.
   */
  decodeWith(decoder: ChannelDecoder | null): void {
    this.finishLine();
    this.#decoder = decoder;
    if (decoder !== null) {
      // Without lines, no other decoder has cut any.
      const others = this.lines === 0 && this.#cleared === null ? [] : this.#decoders.slice(0, MAX_DECODERS - 1);
      this.#decoders = [decoder, ...others];
    }
  }

  /** True: a decoder cuts the lines, whose frames are text. */
  get isText(): boolean {
    return this.#decoder?.isText ?? false;
  }

  /** False: no decoder has cut lines of the channel. */
  get mayHaveFrames(): boolean {
    return this.#decoders.length > 0;
  }

  /** Reads a line as a frame; null for one that no decoder has cut. */
  frameAt(ordinal: number): FramedLine | null {
    for (const decoder of this.#decoders) {
      const framed = decoder.read(ordinal);
      if (framed !== null) {
        return framed;
      }
    }
    return null;
  }

  /** Ends the lines whose end no further byte decides, `now` being in milliseconds since the Unix epoch. */
  expireFrames(now: number): void {
    if (this.#decoder !== null) {
      this.#decoder.cutter.expire(now);
      this.#takePieces(this.#decoder);
    }
  }

  /** Time at which the waiting bytes are decided if no further one comes, as `expireFrames` takes it; null: never. */
  get frameDeadline(): number | null {
    return this.#decoder?.cutter.deadline ?? null;
  }

  /** True: a decoder cuts the lines. */
  get isCut(): boolean {
    return this.#decoder !== null;
  }

  /**
   * Appends a piece of an endless stream, cut anywhere: `bytes` from `from` up to `to`.
   *
   * @param at Time of the piece, or a stored time of its block (`block-time.ts`).
   */
  append(bytes: Uint8Array, at: number, from = 0, to = bytes.length): void {
    const most = this.#maxLineBytes;
    if (this.#decoder !== null) {
      for (let start = from; start < to; start += most) {
        this.#appendToFrames(this.#decoder, bytes, start, Math.min(to, start + most), ownTime(at));
      }
      return;
    }
    const isWhole = to - from === bytes.length;
    if (to - from <= most && (isWhole || (this.#splitter instanceof NewlineSplitter && bytes[to - 1] === LINE_FEED))) {
      // Nearly every chunk, and nearly every line of an opened log. It needs no view of its own, which would cost as
      // much as a short line. Other splitters may look for an end of a line beyond `to`.
      this.#appendPiece(bytes, from, to, at);
      return;
    }
    for (let start = from; start < to; start += most) {
      const piece = bytes.subarray(start, Math.min(to, start + most));
      this.#appendPiece(piece, 0, piece.length, at);
    }
  }

  /**
   * Appends bytes as one line, whatever they contain. Bytes beyond the longest line become further lines.
   *
   * @param flags Flags of a notice.
   */
  appendEntry(bytes: Uint8Array, at: number, flags = 0): void {
    if (this.#decoder !== null && this.#open) {
      this.finishLine();
    }
    const most = this.#maxLineBytes;
    for (let from = 0; from === 0 || from < bytes.length; from += most) {
      const piece = bytes.subarray(from, from + most);
      this.#makeRoom(piece.length);
      this.#beginLine(this.#ring.end, at, this.#framed ? endingFlags(lineEndingLength(piece)) : flags);
      this.#ring.write(piece);
      this.#open = false;
    }
  }

  /**
   * Appends one line that passed before this bench joined. `LineFeed` leaves it out. The open line must be finished.
   */
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

  /** Returns the first of the lines from `ordinal` on that passed after this bench joined. */
  afterEarlier(ordinal: number): number {
    return this.#earlier.find(({ from, end }) => ordinal >= from && ordinal < end)?.end ?? ordinal;
  }

  /**
   * Returns the ordinal of the next line from `ordinal` on that passed before this bench joined; infinity without
   * one.
   */
  nextEarlier(ordinal: number): number {
    return this.#earlier.find(({ from }) => from >= ordinal)?.from ?? Number.POSITIVE_INFINITY;
  }

  /** Ends the open line: a gap has passed, the stream ends here, or its framing. The next byte begins a new one. */
  finishLine(): void {
    if (this.#decoder !== null) {
      this.#decoder.cutter.end();
      this.#takePieces(this.#decoder);
      this.#open = false;
      return;
    }
    const splitter = this.#splitter;
    if (this.#open && splitter.unfinished !== null) {
      this.#index.setLastFlags(faultFlags(this.#rest ?? splitter.unfinished));
    }
    this.#open = false;
    this.#rest = null;
    splitter.restart();
  }

  /**
   * Hides all lines and resets the count of dropped ones. They stay in memory until the space is needed, or until
   * `forgetCleared`.
   */
  clear(): void {
    if (this.#decoder !== null) {
      this.finishLine();
    }
    this.#cleared ??= { first: this.firstLine, dropped: this.#dropped };
    this.#index.holdFrom(this.endLine);
    if (this.#open) {
      this.#leaveLine('incomplete');
    }
    this.#dropped = 0;
  }

  /**
   * Shows the cleared lines that are still in memory again, before those that came later. The others count as
   * dropped.
   */
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

  /** Deletes cleared lines permanently. The memory is freed if it holds no other lines. */
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

  /**
   * Changes the size and keeps the newest lines that fit.
   *
   * @throws RangeError, without any change, if there is not enough memory.
   */
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

  /** Offset after the last byte of a line's text: the start of its line ending. */
  textEndOf(ordinal: number): number {
    return this.endOf(ordinal) - this.endingOf(ordinal);
  }

  /** Length of a line's ending in bytes. */
  endingOf(ordinal: number): number {
    return this.#framed
      ? endingIn(this.flagsOf(ordinal))
      : lineEndingLength(this.#ring.view(this.startOf(ordinal), this.endOf(ordinal)));
  }

  /** Fault of the frame; null for a valid one. */
  faultOf(ordinal: number): FrameFault | null {
    return this.#framed ? faultIn(this.flagsOf(ordinal)) : null;
  }

  /** Decoder of a line's content; null if the content is the bytes themselves. */
  decoderOf(ordinal: number): DecodeFrame | null {
    return this.#framed ? this.#decoded.decoderFor(this.flagsOf(ordinal)) : null;
  }

  /** Returns false if no line from `from` up to `to` has decoded content. */
  mayBeDecoded(from: number, to: number): boolean {
    return this.#decoded.mayHave(from, to);
  }

  sequenceOf(ordinal: number): number {
    return this.#index.sequenceOf(ordinal);
  }

  /** Time of a line, in milliseconds since the Unix epoch. NaN: unknown. */
  timeOf(ordinal: number): number {
    return ownTime(this.#index.timeOf(ordinal));
  }

  /** Time of the line above that begins the block of a line without a time. NaN: unknown, or the line has its own time. */
  blockTimeOf(ordinal: number): number {
    return blockTime(this.#index.timeOf(ordinal));
  }

  flagsOf(ordinal: number): number {
    return this.#index.flagsOf(ordinal);
  }

  /** Number of the line of all channels that began before the newest one; negative without one. */
  get sequenceBefore(): number {
    return this.#counter.before ?? -1;
  }

  /** Returns true if the line may still grow. */
  isOpen(ordinal: number): boolean {
    return this.#open && ordinal + 1 === this.#index.end;
  }

  /** Returns the first held line with at least this sequence number; `endLine` if there is no such line. */
  lineAtSequence(sequence: number, low?: number, high?: number): number {
    return this.#index.lowerBound('sequences', sequence, low, high);
  }

  /** Returns the line that contains the byte at `offset`. The byte must be held. */
  lineAtOffset(offset: number, low?: number, high?: number): number {
    return this.#index.lowerBound('starts', offset + 1, low, high) - 1;
  }

  /** Returns the number of rows of the held lines before `ordinal`. */
  rowsBefore(ordinal: number, layout: RowLayout): number {
    const first = this.#index.first;
    if (layout === 'text') {
      const last = ordinal - 1;
      return ordinal - first + (ordinal > first && this.isOpen(last) ? this.textRowsOf(last) - 1 : 0);
    }
    if (ordinal === first) {
      return 0;
    }
    return this.#hexRowsBefore(ordinal) - this.#index.get('hexRows', first);
  }

  rows(layout: RowLayout): number {
    return this.rowsBefore(this.#index.end, layout);
  }

  /**
   * Returns the number of rows of a line in the text layout: 1, or one for every 512 bytes of a line without an end. A
   * terminal control may rewrite the whole line, so that a line with any is one row.
   */
  textRowsOf(ordinal: number): number {
    if (!this.isOpen(ordinal) || this.#splitter.unfinished !== null) {
      return 1;
    }
    const start = this.startOf(ordinal);
    const { end } = this.#ring;
    if (end - start <= pieceBytes) {
      return 1;
    }
    const from = Math.max(start, this.#plainTo);
    if (from < end) {
      const control = this.#ring.view(from, end).findIndex((byte) => rewriting.has(byte));
      // A \r at the end may belong to the ending.
      const isPlain = control === -1 || from + control === end - 1;
      this.#plainTo = isPlain ? from + (control === -1 ? end - from : control) : Number.POSITIVE_INFINITY;
    }
    return this.#plainTo === Number.POSITIVE_INFINITY ? 1 : Math.ceil((end - start) / pieceBytes);
  }

  /** Returns the number of rows of a line in the hex layout. */
  hexRowsOf(ordinal: number): number {
    return this.#hexRowsBefore(ordinal + 1) - this.#hexRowsBefore(ordinal);
  }

  get #maxLineBytes(): number {
    return Math.floor(this.#ring.capacity / LINE_SHARE);
  }

  #appendPiece(bytes: Uint8Array, from: number, pieceEnd: number, at: number): void {
    this.#makeRoom(pieceEnd - from);
    /** Offset in the stream of the first byte of `bytes`. */
    const offset = this.#ring.end - from;
    const most = this.#maxLineBytes;
    const splitter = this.#splitter;
    const { decode } = splitter;
    this.#ring.write(bytes, from, pieceEnd);
    let position = from;
    let start = this.#open ? this.startOf(this.#index.end - 1) : offset + from;
    while (position < pieceEnd) {
      if (!this.#open) {
        if (bytes[position] === splitter.trailing && this.#extendEnding(offset + position)) {
          splitter.restart();
          position++;
          continue;
        }
        start = offset + position;
      }
      // In a ring that was made smaller, the open line may already be too long.
      const limit = Math.max(position, start + most - offset);
      const to = Math.min(limit, pieceEnd);
      const end = to > position ? splitter.next(bytes, position, to) : -1;
      const goesOn = end === -1 && pieceEnd <= limit;
      // True for most lines: text, whose flags hold only the length of its ending.
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

  #appendToFrames(decoder: ChannelDecoder, bytes: Uint8Array, from: number, to: number, at: number): void {
    if (to <= from) {
      return;
    }
    this.#makeRoom(to - from);
    if (!this.#open) {
      this.#beginLine(this.#ring.end, at, 0);
    }
    this.#ring.write(bytes, from, to);
    decoder.cutter.push(bytes, from, to, at);
    this.#takePieces(decoder);
  }

  /** Forgets the bytes that wait for their end: their line has left the ring. */
  #dropWaiting({ cutter }: ChannelDecoder): void {
    cutter.end();
    while (cutter.next() !== null) {
      // A piece of a line that is gone.
    }
  }

  /** Ends a line for each piece whose end is known. The bytes behind the last one are the open line. */
  #takePieces({ cutter, isText, onPiece }: ChannelDecoder): void {
    for (let piece = cutter.next(); piece !== null; piece = cutter.next()) {
      const line = this.#index.end - 1;
      const end = this.startOf(line) + piece.length;
      const isBroken = piece.kind === 'broken';
      const ending = isBroken || !isText ? 0 : lineEndingLength(this.#ring.view(this.startOf(line), end));
      this.#index.setLastFlags(isBroken ? faultFlags('invalid') : endingFlags(ending));
      this.#index.setLastTime(piece.at);
      this.#open = false;
      if (end < this.#ring.end) {
        // Its own time comes with its end.
        this.#beginLine(end, piece.until, 0);
      }
      onPiece(line, piece);
    }
  }

  /**
   * Adds the byte at `offset` to the ending of the newest line. Returns false if that line is full or no longer
   * known.
   */
  #extendEnding(offset: number): boolean {
    const last = this.#index.end - 1;
    if (last < this.#index.oldest || offset - this.startOf(last) >= this.#maxLineBytes) {
      return false;
    }
    this.#index.setLastFlags(endingFlags(endingIn(this.flagsOf(last)) + 1));
    return true;
  }

  /** Returns the flags of the frame whose end the splitter found. Call it before `#endFrame`. */
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

  /** Completes the newest line as a whole frame, or as the rest of one. */
  #endFrame(): void {
    const { fault, decode, decodedLength } = this.#splitter;
    if (decode !== null && fault === null && this.#rest === null) {
      this.#decodedLength = decodedLength;
      this.#decoded.add(this.#index.end - 1);
    }
    this.#rest = null;
  }

  /** Ends the open line before the end of its frame. */
  #leaveLine(fault: FrameFault): void {
    this.#open = false;
    if (this.#decoder !== null) {
      this.#dropWaiting(this.#decoder);
      return;
    }
    if (this.#splitter.unfinished === null) {
      this.#splitter.restart();
    } else {
      this.#rest ??= fault;
      this.#index.setLastFlags(faultFlags(this.#rest));
    }
  }

  #beginLine(start: number, at: number, flags: number): void {
    const sequence = this.#arrivals.sequenceOf(start) ?? this.#counter.next++;
    this.#counter.before = this.#counter.newest ?? -1;
    this.#counter.newest = sequence;
    this.#index.push(start, sequence, at, this.#hexRowsBefore(this.#index.end, start), flags);
    this.#decodedLength = null;
    this.#plainTo = start;
    this.#open = true;
  }

  /** Returns the hex rows of all lines before `ordinal` since the channel began. `ordinal` may be `endLine`. */
  #hexRowsBefore(ordinal: number, end = this.#ring.end): number {
    if (ordinal < this.#index.end) {
      return this.#index.get('hexRows', ordinal);
    }
    const last = ordinal - 1;
    // Cleared lines still count, because they may be restored.
    if (last < this.#index.oldest) {
      return 0;
    }
    // A notice is text in either layout.
    const rows = this.#framed ? hexRowsOf(this.#decodedLength ?? end - this.startOf(last)) : 1;
    return this.#index.get('hexRows', last) + rows;
  }

  /** Returns the oldest line, held or cleared, whose bytes are all still in memory. */
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

  /** Drops every line that begins before `offset`. */
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
