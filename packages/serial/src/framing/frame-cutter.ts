/**
 * Interface of a decoder's cutter to a channel. It cuts one stream into frames and left-overs, whose lengths add up to
 * the bytes that it was given. A frame may end before the newest byte: a cutter looks again where a frame was none.
 */
export interface FramePiece {
  readonly length: number;
  /** `broken`: a frame whose checksum is wrong. `left-over`: bytes that are no frame. */
  readonly kind: 'frame' | 'broken' | 'left-over';
  /** Arrival of its first byte, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Arrival of its last byte. */
  readonly until: number;
}

export interface FrameCutter {
  /** Time at which the waiting bytes are decided if nothing more comes; null: never. */
  readonly deadline: number | null;
  push(bytes: Uint8Array, from: number, to: number, at: number): void;
  /** The next piece whose end is known; null: more bytes or time are needed. */
  next(): FramePiece | null;
  expire(now: number): void;
  /** Decides all waiting bytes: nothing continues them. */
  end(): void;
}

/** A decoder at work on one channel. */
export interface ChannelDecoder {
  readonly cutter: FrameCutter;
  /** True: its frames are lines of text with their endings. */
  readonly isText: boolean;
  /** Called with the ordinal of each line as soon as its end is known. */
  readonly onPiece: (line: number, piece: FramePiece) => void;
}
