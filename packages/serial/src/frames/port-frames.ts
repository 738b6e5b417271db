/**
 * Frames of one port: cuts both directions by a decoder, and reads a line as a frame with the pieces that it belongs
 * to. A line is decoded when it is asked for; nothing of it is kept.
 */
import { type Conversation, type DecodedFrame, type FrameReader, Overview, type Piece } from '@wirebench/frames';
import type { ChannelDecoder, FramedLine } from '../framing/channel-decoder.ts';
import type { LineChannel } from '../line-channel.ts';
import { type BookedPiece, PieceBook } from './piece-book.ts';

/** Lines of one channel that a decoder has cut: the indexes of their pieces, by ordinal. */
class CutLines {
  readonly channel: LineChannel;
  /** Ordinal of the first line that the decoder has cut. */
  readonly from: number;
  readonly #indexes: number[] = [];
  #dropped = 0;

  constructor(channel: LineChannel) {
    this.channel = channel;
    this.from = channel.endLine;
  }

  add(line: number, index: number): void {
    this.#indexes[line - this.from - this.#dropped] = index;
  }

  /** Index of the piece of a line; null for a line without one. */
  indexOf(line: number): number | null {
    return this.#indexes[line - this.from - this.#dropped] ?? null;
  }

  /** Forgets lines that have left the ring. Returns the index of the oldest piece left; null without one. */
  drop(): number | null {
    const gone = this.channel.oldestLine - this.from - this.#dropped;
    if (gone > DROPPED_TOGETHER) {
      this.#indexes.splice(0, gone);
      this.#dropped += gone;
    }
    return this.#indexes[0] ?? null;
  }
}

/** Lines that are forgotten in one step. */
const DROPPED_TOGETHER = 8_192;

export interface PortFramesParts {
  readonly reader: FrameReader;
  /** True: frames are lines of text with their endings. */
  readonly isText: boolean;
  readonly received: LineChannel;
  readonly sent: LineChannel;
  /** Present time in ms since the Unix epoch; null: no time passes but that of the pieces, as in an opened log. */
  readonly now: () => number | null;
}

/** Pieces that are counted in one step. */
const COUNTED_TOGETHER = 256;

export class PortFrames {
  /** Decoders for the channels of both directions. */
  readonly decoders: readonly [received: ChannelDecoder, sent: ChannelDecoder];
  readonly #conversation: Conversation;
  readonly #book = new PieceBook();
  readonly #received: CutLines;
  readonly #sent: CutLines;
  /** Indexes of the frames that the conversation still holds. */
  readonly #indexes = new WeakMap<Uint8Array, number>();

  /** Questions without an answer, with the time for it in ms, by index. */
  readonly #unanswered = new Map<number, number>();
  readonly #now: () => number | null;
  readonly #isText: boolean;
  /** Time after the newest piece. */
  #latest = 0;
  #overview = new Overview();
  /** Index of the first piece of the overview, and of the next one that it counts. */
  #countedFrom = 0;
  #counted = 0;
  /** Pieces that had left the ring before they were counted. */
  #missed = 0;
  /** Questions without an answer that were not counted yet. */
  readonly #uncounted = new Set<number>();

  constructor({ reader, isText, received, sent, now }: PortFramesParts) {
    this.#now = now;
    this.#isText = isText;
    this.#conversation = reader.conversation();
    this.#received = new CutLines(received);
    this.#sent = new CutLines(sent);
    const decoderOf = (lines: CutLines, direction: 'received' | 'sent'): ChannelDecoder => ({
      cutter: reader.cutter(direction),
      isText,
      onPiece: (line, piece) => this.#add(lines, direction, line, piece),
      read: (line) => this.#read(lines, line),
    });
    this.decoders = [decoderOf(this.#received, 'received'), decoderOf(this.#sent, 'sent')];
  }

  /** Counts of the pieces so far, as far as `count` has taken them. */
  get overview(): Overview {
    return this.#overview;
  }

  /** Pieces that had left the log before `count` came to them. */
  get missedPieces(): number {
    return this.#missed;
  }

  /** Counts some of the pieces that the overview has not counted yet. Returns true if more wait. */
  count(): boolean {
    this.#lookForUnanswered(this.#now() ?? this.#latest);
    const { oldest, end } = this.#book;
    if (this.#counted < oldest) {
      this.#missed += oldest - this.#counted;
      this.#counted = oldest;
    }
    for (const to = Math.min(end, this.#counted + COUNTED_TOGETHER); this.#counted < to; this.#counted++) {
      const seen = this.#pieceAt(this.#counted);
      if (seen === null) {
        this.#missed++;
      } else {
        this.#overview.add(seen.frame, seen.link, seen.bytes, seen.at);
      }
    }
    for (const index of this.#uncounted) {
      if (index < this.#counted) {
        this.#uncounted.delete(index);
        const question = index < this.#countedFrom ? null : this.#pieceAt(index);
        if (question !== null) {
          this.#overview.addUnanswered(question.frame);
        }
      }
    }
    return this.#counted < end;
  }

  /** Begins the overview again, with the next piece. */
  restartOverview(): void {
    this.#overview = new Overview();
    this.#countedFrom = this.#book.end;
    this.#counted = this.#countedFrom;
    this.#missed = 0;
    this.#uncounted.clear();
  }

  /** Reads a piece with its bytes; null if it has left the ring. */
  #pieceAt(index: number) {
    const piece = this.#book.at(index);
    const bytes = this.#bytesOf(piece);
    if (piece === null || bytes === null) {
      return null;
    }
    const { channel } = piece.isSent ? this.#sent : this.#received;
    return { frame: this.#decode(piece, bytes), link: piece.link, bytes, at: channel.timeOf(piece.line) };
  }

  #decode({ kind, isSent, link, related }: BookedPiece, bytes: Uint8Array): DecodedFrame {
    const others = related.flatMap((other) => this.#bytesOf(this.#book.at(other)) ?? []);
    return this.#conversation.decode(bytes, kind, { ...link, related: others }, isSent ? 'sent' : 'received');
  }

  #read(lines: CutLines, line: number): FramedLine | null {
    const { channel } = lines;
    const index = lines.indexOf(line);
    const piece = index === null ? null : this.#book.at(index);
    if (piece === null) {
      return null;
    }
    const { kind, link } = piece;
    const frame = this.#decode(piece, channel.ring.view(channel.startOf(line), channel.endOf(line)));
    this.#lookForUnanswered(this.#now() ?? this.#latest);
    const unanswered = this.#unanswered.get(index as number) ?? null;
    return { frame, kind, isText: this.#isText, ms: link.ms, unanswered, missing: link.missing };
  }

  #add(lines: CutLines, direction: 'received' | 'sent', line: number, { kind, at, until }: Piece): void {
    const { channel } = lines;
    const bytes = channel.ring.view(channel.startOf(line), channel.endOf(line)).slice();
    const index = this.#book.end;
    const isTimed = !Number.isNaN(at);
    // Without times the order decides what belongs together.
    const [from, to] = isTimed ? [at, until] : [this.#latest, this.#latest];
    this.#lookForUnanswered(from);
    this.#latest = Math.max(this.#latest, to);
    this.#indexes.set(bytes, index);
    const { related, ...found } = this.#conversation.add(bytes, kind, direction, from, to);
    const link = isTimed ? found : { ...found, ms: null };
    const indexes = related.flatMap((other) => this.#indexes.get(other) ?? []);
    this.#book.add({ line, isSent: direction === 'sent', kind, link, related: indexes });
    lines.add(line, index);
    if (index % DROPPED_TOGETHER === 0) {
      this.#drop();
    }
  }

  #lookForUnanswered(now: number): void {
    for (const { index, limit } of this.#conversation.unanswered(now)) {
      this.#unanswered.set(index, limit);
      this.#uncounted.add(index);
    }
  }

  #drop(): void {
    const oldest = [this.#received.drop(), this.#sent.drop()].filter((index) => index !== null);
    if (oldest.length > 0) {
      const first = Math.min(...oldest);
      this.#book.dropBefore(first);
      for (const index of this.#unanswered.keys()) {
        if (index < first) {
          this.#unanswered.delete(index);
        }
      }
      for (const index of this.#uncounted) {
        if (index < first) {
          this.#uncounted.delete(index);
        }
      }
    }
  }

  /** Returns a copy of the bytes of a piece; null if it has left the ring. */
  #bytesOf(piece: BookedPiece | null): Uint8Array | null {
    if (piece === null) {
      return null;
    }
    const { channel } = piece.isSent ? this.#sent : this.#received;
    const { line } = piece;
    // A cleared line is still there, and the index knows lines longer than the ring has their bytes.
    const isHeld = line >= channel.oldestLine && channel.startOf(line) >= channel.ring.start;
    return isHeld ? channel.ring.view(channel.startOf(line), channel.endOf(line)).slice() : null;
  }
}
