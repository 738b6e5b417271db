/**
 * Frames of one port, or of two ports that are one conversation: cuts all directions by a decoder, and reads a line as a
 * frame with the pieces that it belongs to. A line is decoded when it is asked for; nothing of it is kept.
 */
import { type Conversation, type DecodedFrame, type FrameReader, Overview, type Piece } from '@wirebench/frames';
import type { ChannelDecoder, FramedLine } from '../framing/channel-decoder.ts';
import type { LineChannel } from '../line-channel.ts';
import type { PortNumber } from '../port-number.ts';
import { type BookedPiece, PieceBook } from './piece-book.ts';

/** Lines of one channel that a decoder has cut: the indexes of their pieces, by ordinal. */
class CutLines {
  channel: LineChannel;
  readonly direction: FrameLane['direction'];
  /** Index among the lanes. */
  readonly lane: number;
  /** Time in ms at which the line has all that was sent. Bytes have the time at which they were given to the port. */
  #sentUntil = Number.NEGATIVE_INFINITY;
  readonly #byteTime: () => number;
  /** Ordinal of the first line that the decoder has cut. */
  readonly from: number;
  readonly #indexes: number[] = [];
  #dropped = 0;

  constructor({ channel, direction, byteTime }: FrameLane, lane: number) {
    this.#byteTime = byteTime;
    this.channel = channel;
    this.direction = direction;
    this.lane = lane;
    this.from = channel.endLine;
  }

  add(line: number, index: number): void {
    this.#indexes[line - this.from - this.#dropped] = index;
  }

  /**
   * Returns when a piece was on the line, in ms. Received bytes come with the time of their arrival. Sent ones need their
   * time on the line, behind those that were sent before them.
   */
  onLine({ at, until, length }: Piece): { readonly from: number; readonly to: number } {
    if (this.channel.identity.direction !== 'sent') {
      return { from: at, to: until };
    }
    const from = Math.max(at, this.#sentUntil);
    this.#sentUntil = Math.max(until, from + length * this.#byteTime());
    return { from, to: this.#sentUntil };
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

/** Bytes that the conversation may hold and return, with the index of their piece. A weak map of them takes far longer. */
interface PieceBytes extends Uint8Array {
  pieceIndex?: number;
}

/** Lines that are forgotten in one step. */
const DROPPED_TOGETHER = 8_192;

/** One direction of a port in a conversation. */
export interface FrameLane {
  readonly channel: LineChannel;
  /**
   * Side in the conversation. `sent`: of the side that asks. A port that listens to the answers of another one has
   * `received` for all it hears, and the other one `sent`.
   */
  readonly direction: 'received' | 'sent';
  /** Returns the time of one byte on the line, in ms; 0: unknown. */
  readonly byteTime: () => number;
}

export interface PortFramesParts {
  readonly reader: FrameReader;
  /** True: frames are lines of text with their endings. */
  readonly isText: boolean;
  /** Channels whose frames go through one conversation, at most 4. */
  readonly lanes: readonly FrameLane[];
  /** Present time in ms since the Unix epoch; null: no time passes but that of the pieces, as in an opened log. */
  readonly now: () => number | null;
}

/** Lanes of one port: received and sent. */
const LANES_OF_PORT = 2;

/** Pieces that are counted in one step. */
const COUNTED_TOGETHER = 256;

export class PortFrames {
  /** Decoders for the channels, in the order of the lanes. */
  readonly decoders: readonly ChannelDecoder[];
  #reader: FrameReader;
  /** Decides what belongs together. */
  #conversation: Conversation;
  /** Reads pieces. Another one than `#conversation` since a decoder with other fields was applied. */
  #reading: Conversation;
  /** Index of the first piece of the conversation. */
  #since = 0;
  /** False: a port of a pair is closed, so that questions miss no answers. */
  #isPaired = true;
  readonly #book = new PieceBook();
  readonly #lanes: readonly CutLines[];
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
  /** Questions without an answer in time that got one late, and those of them that are still counted as without. */
  readonly #answeredLate = new Set<number>();
  readonly #miscounted = new Set<number>();

  constructor({ reader, isText, lanes, now }: PortFramesParts) {
    this.#now = now;
    this.#isText = isText;
    this.#reader = reader;
    this.#conversation = reader.conversation();
    this.#reading = this.#conversation;
    this.#lanes = lanes.map((lane, index) => new CutLines(lane, index));
    this.decoders = this.#lanes.map(
      (lines): ChannelDecoder => ({
        cutter: reader.cutter(lines.direction),
        isText,
        onPiece: (line, piece) => this.#add(lines, line, piece),
        read: (line) => this.#read(lines, line),
      }),
    );
  }

  /** Reads the lines in other channels, in the order of the lanes: those that show what was cut in the lanes' own. */
  moveTo(channels: readonly LineChannel[]): void {
    for (const [index, lines] of this.#lanes.entries()) {
      lines.channel = channels[index] ?? lines.channel;
    }
  }

  /** True: frames of both ports belong together. Always true for the frames of one port. */
  get isPaired(): boolean {
    return this.#isPaired;
  }

  /** Ends the pairing of two ports: one of them was closed. What waits for an answer is not called unanswered. */
  endPairing(): void {
    this.#isPaired = false;
    this.#beginConversation();
  }

  /** Pairs the frames of both ports again, from the next one on. */
  resumePairing(): void {
    this.#isPaired = true;
    this.#beginConversation();
  }

  #beginConversation(): void {
    this.#conversation = this.#reader.conversation();
    this.#reading = this.#conversation;
    this.#since = this.#book.end;
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
        this.#overview.add(seen.frame, { ...seen.link, isSent: seen.isSent }, seen.bytes, seen.at);
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
    for (const index of this.#miscounted) {
      const question = index < this.#countedFrom ? null : this.#pieceAt(index);
      if (question !== null) {
        this.#overview.answeredLate(question.frame);
      }
    }
    this.#miscounted.clear();
    return this.#counted < end;
  }

  /** Reads all pieces with another decoder, which cuts and pairs them in the same way. The overview counts them again. */
  readWith(reader: FrameReader): void {
    this.#reader = reader;
    this.#reading = reader.conversation();
    this.#restartFrom(this.#book.oldest);
  }

  /** Begins the overview again, with the next piece. */
  restartOverview(): void {
    this.#restartFrom(this.#book.end);
  }

  #restartFrom(index: number): void {
    this.#overview = new Overview();
    this.#countedFrom = index;
    this.#counted = this.#countedFrom;
    this.#missed = 0;
    this.#uncounted.clear();
    this.#miscounted.clear();
    for (const question of this.#unanswered.keys()) {
      if (question >= index && !this.#answeredLate.has(question)) {
        this.#uncounted.add(question);
      }
    }
  }

  /** Reads a piece with its bytes; null if it has left the ring. */
  #pieceAt(index: number) {
    const piece = this.#book.at(index);
    const bytes = this.#bytesOf(piece);
    if (piece === null || bytes === null) {
      return null;
    }
    const { channel } = this.#linesOf(piece);
    const isSent = channel.identity.direction === 'sent';
    return { frame: this.#decode(piece, bytes), link: piece.link, bytes, isSent, at: channel.timeOf(piece.line) };
  }

  #linesOf({ lane }: BookedPiece): CutLines {
    return this.#lanes[lane] as CutLines;
  }

  #decode(piece: BookedPiece, bytes: Uint8Array): DecodedFrame {
    const { kind, link, related } = piece;
    const others = related.flatMap((other) => this.#bytesOf(this.#book.at(other)) ?? []);
    return this.#reading.decode(bytes, kind, { ...link, related: others }, this.#linesOf(piece).direction);
  }

  /** Port of the question that a piece answers; null for none, and for one of its own port. */
  #askedOn({ link: { role, to } }: BookedPiece, own: PortNumber | null): PortNumber | null {
    const isPair = this.#lanes.length > LANES_OF_PORT;
    const question = isPair && role === 'answer' && to !== null ? this.#book.at(to) : null;
    const port = question === null ? null : this.#linesOf(question).channel.identity.port;
    return port === own ? null : port;
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
    const askedOn = this.#askedOn(piece, channel.identity.port);
    return {
      frame,
      kind,
      isText: this.#isText,
      number: 1 + (index as number),
      role: link.role,
      question: link.role === 'answer' && link.to !== null ? 1 + link.to : null,
      ms: link.ms,
      isLate: link.isLate === true,
      askedOn,
      unanswered,
      missing: link.missing,
    };
  }

  #add(lines: CutLines, line: number, piece: Piece): void {
    const { kind, at } = piece;
    const { channel, direction, lane } = lines;
    const bytes: PieceBytes = channel.ring.view(channel.startOf(line), channel.endOf(line)).slice();
    const index = this.#book.end;
    const isTimed = !Number.isNaN(at);
    // Without times the order decides what belongs together.
    const { from, to } = isTimed ? lines.onLine(piece) : { from: this.#latest, to: this.#latest };
    this.#lookForUnanswered(isTimed ? at : from);
    this.#latest = Math.max(this.#latest, to);
    bytes.pieceIndex = index;
    const { related, ...added } = this.#conversation.add(bytes, kind, direction, from, to);
    const found = { ...added, to: added.to === null ? null : added.to + this.#since };
    const link = isTimed ? found : { ...found, ms: null };
    const indexes = related.flatMap((other: PieceBytes) => other.pieceIndex ?? []);
    this.#book.add({ line, lane, kind, link, related: indexes });
    lines.add(line, index);
    if (link.role === 'answer' && link.to !== null) {
      this.#takeAnswer(link.to, link.isLate === true);
    }
    if (index % DROPPED_TOGETHER === 0) {
      this.#drop();
    }
  }

  /** Takes note of an answer to a question that may have been called unanswered. */
  #takeAnswer(question: number, isLate: boolean): void {
    if (!this.#unanswered.has(question) || this.#answeredLate.has(question)) {
      return;
    }
    if (!this.#uncounted.delete(question)) {
      this.#miscounted.add(question);
    }
    if (isLate) {
      this.#answeredLate.add(question);
    } else {
      // It began in time, and its end came later.
      this.#unanswered.delete(question);
    }
  }

  #lookForUnanswered(now: number): void {
    for (const { index, limit } of this.#conversation.unanswered(now)) {
      if (this.#isPaired) {
        this.#unanswered.set(index + this.#since, limit);
        this.#uncounted.add(index + this.#since);
      }
    }
  }

  #drop(): void {
    const oldest = this.#lanes.map((lines) => lines.drop()).filter((index) => index !== null);
    if (oldest.length > 0) {
      const first = Math.min(...oldest);
      this.#book.dropBefore(first);
      for (const index of this.#unanswered.keys()) {
        if (index < first) {
          this.#unanswered.delete(index);
        }
      }
      for (const indexes of [this.#uncounted, this.#answeredLate, this.#miscounted]) {
        for (const index of indexes) {
          if (index < first) {
            indexes.delete(index);
          }
        }
      }
    }
  }

  /** Returns a copy of the bytes of a piece; null if it has left the ring. */
  #bytesOf(piece: BookedPiece | null): Uint8Array | null {
    if (piece === null) {
      return null;
    }
    const { channel } = this.#linesOf(piece);
    const { line } = piece;
    // A cleared line is still there, and the index knows lines longer than the ring has their bytes.
    const isHeld = line >= channel.oldestLine && channel.startOf(line) >= channel.ring.start;
    return isHeld ? channel.ring.view(channel.startOf(line), channel.endOf(line)).slice() : null;
  }
}
