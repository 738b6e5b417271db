/**
 * A decoder at work on a channel: its cutter divides one stream into frames and left-overs, whose lengths add up to the
 * bytes that it was given. A frame may end before the newest byte: a cutter looks again where a frame was none.
 */
import type { DecodedFrame, FrameCutter, FrameLink, Piece, PieceKind } from '@wirebench/frames';
import type { PortNumber } from '../port-number.ts';

/** A decoder at work on one channel. */
export interface ChannelDecoder {
  readonly cutter: FrameCutter;
  /** True: its frames are lines of text with their endings. */
  readonly isText: boolean;
  /** Called with the ordinal of each line as soon as its end is known. */
  readonly onPiece: (line: number, piece: Piece) => void;
  /** Reads a line of the channel as a frame; null for one that this decoder has not cut. */
  readonly read: (line: number) => FramedLine | null;
}

/** A line as a frame. */
export interface FramedLine {
  readonly frame: DecodedFrame;
  readonly kind: PieceKind;
  /** True: its decoder cuts lines of text. */
  readonly isText: boolean;
  /** Number among the pieces of its conversation, in the order in which their ends were known: 1 for the first. */
  readonly number: number;
  readonly role: FrameLink['role'];
  /** Number of the question that it answers; null: none. */
  readonly question: number | null;
  /** Milliseconds from the end of its question to its start; null without a question. */
  readonly ms: number | null;
  /** True: an answer that came after the time for it. */
  readonly isLate: boolean;
  /** Port of its question, if that is another one than its own; null: its own, or it answers none. */
  readonly askedOn: PortNumber | null;
  /** Time for its answer in ms, which has passed without one; null: it was answered, waits, or asks nothing. */
  readonly unanswered: number | null;
  /** Frames that are missing before it, by its sequence number. */
  readonly missing: number;
}
