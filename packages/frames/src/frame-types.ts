/** Types that readers of frames share: pieces of a stream, decoded frames, and what belongs together. */

/** `sent` is what this side of the port wrote. */
export type Direction = 'received' | 'sent';

/** Piece of a stream. The lengths of all pieces add up to the bytes pushed: nothing is dropped. */
export interface Piece {
  readonly length: number;
  /** `broken`: it has the form of a frame, but not its checksum or end. `left-over`: bytes that are no frame. */
  readonly kind: PieceKind;
  /** Time of its first byte, in ms. */
  readonly at: number;
  /** Time after its last byte, in ms. */
  readonly until: number;
}

export type PieceKind = 'frame' | 'broken' | 'left-over';

/** Cuts one direction of a stream. Holds at most the longest frame of its decoders and the chunk that was pushed. */
export interface FrameCutter {
  /**
   * Takes a copy of `bytes` from `from` up to `to`.
   *
   * @param at Time of the first of these bytes, in ms. It must not go back.
   */
  push(bytes: Uint8Array, from: number, to: number, at: number): void;
  /** Returns the next piece whose end is known; null: more bytes or time are needed. */
  next(): Piece | null;
  /** Time in ms at which the waiting bytes are decided if nothing more comes; null: nothing waits. */
  readonly deadline: number | null;
  /** Decides about all waiting bytes if `now` has reached the deadline. */
  expire(now: number): void;
  /** Decides about all waiting bytes: nothing more comes. */
  end(): void;
}

export type FieldValue = number | bigint | string | boolean | Uint8Array | null;

export interface DecodedField {
  /** Name as Find takes it: letters, digits, `_`, `.`: `speed`, `svs.0.cno`. */
  readonly name: string;
  /** Name as people read it, with its spaces. Missing: `name`. */
  readonly title?: string;
  /** null: no value (empty cell, gap; never 0). 64-bit integers are bigint. */
  readonly value: FieldValue;
  /** Name of the value, or names of its flags: `ready, running`. */
  readonly named?: string;
  readonly unit?: string;
  /** Bytes in the frame as it came on the wire, escapes included: from, and up to without. */
  readonly from: number;
  readonly to: number;
  /** Number before scale and offset, if the value differs. */
  readonly raw?: number | bigint | string;
  /** Words for the way from the raw number to the value: `divided by 100`. */
  readonly how?: string;
  /** True: it says which frame it is or how long, as its decoder states. It is no measured value and makes no curve. */
  readonly isHeader?: boolean;
  /** Register or bits in words, if the protocol names them: `40001`, `bit 3`. */
  readonly place?: string;
}

export interface DecodedFrame {
  /** Name of the decoder: `modbus`. Empty for bytes that are no frame of any. */
  readonly decoder: string;
  readonly kind: 'right' | 'broken' | 'exception' | 'left-over';
  /** `NAV-PVT`, `read holding registers`. */
  readonly message: string;
  /** Row of the overview: `unit 7, read holding registers`. */
  readonly key: string;
  /** Device, unit or talker; null if the protocol has none. */
  readonly who: string | null;
  /** Line in words without who and time: `read 40001–40004: 231, 0, 12, 4`. */
  readonly sentence: string;
  /** A broken frame has only fields that say why. */
  readonly fields: readonly DecodedField[];
  /** Time stamp of the adapter in ms, without its wraps. */
  readonly adapterAt?: number | undefined;
  /** Bytes of a checksum that is right and that no field has, on the wire: from, and up to without. */
  readonly checksum?: { readonly from: number; readonly to: number } | undefined;
}

/** Facts about a frame that follow from other frames. */
export interface FrameLink {
  /** `notice`: neither a question nor an answer. */
  readonly role: 'question' | 'answer' | 'notice';
  /** Index of the question that it answers; null: none. */
  readonly to: number | null;
  /** Time from the end of the question to the start of the answer, in ms; null without a question. */
  readonly ms: number | null;
  /** True: it came after the limit of its question. */
  readonly isLate?: boolean;
  /** Frames that are missing before it, by its sequence number. */
  readonly missing: number;
  /** Earlier frames that are needed to read it: its question, or its first parts, in order. */
  readonly related: readonly Uint8Array[];
  /** Direction of its question, if its values depend on that. */
  readonly asked?: Direction;
  /** Time stamp of the adapter in ms, without its wraps. */
  readonly adapterAt?: number;
}

/** Goes through all frames of a port, both directions, in order of time; decides what belongs to what. */
export interface Conversation {
  /**
   * Takes the next piece. Its index is the number of pieces before it.
   *
   * @param frame Bytes of the piece. They must not change afterwards.
   * @param from Time of its first byte, in ms.
   * @param to Time after its last byte, in ms.
   */
  add(frame: Uint8Array, kind: PieceKind, direction: Direction, from: number, to: number): FrameLink;
  /**
   * Returns questions whose limit has passed without an answer, each once. `index` is that of the question. An answer may
   * still come late.
   */
  unanswered(now: number): readonly { readonly index: number; readonly limit: number }[];
  /** Decodes a piece. It keeps no state, so that rows can be decoded in any order. */
  decode(frame: Uint8Array, kind: PieceKind, link: FrameLink, direction: Direction): DecodedFrame;
}

export interface FrameSettings {
  /**
   * Time of one byte on the line, in ms, if the times given are those of a chunk's first byte. 0: they are those of its
   * arrival.
   */
  readonly byteTime?: number;
  /** Time for an answer in ms, in place of that of the decoder. */
  readonly answerLimit?: number;
  /** Contents of the decoders' files, by their SHA-256 in hex digits. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Keys of signed frames, by the name of the decoder. */
  readonly keys?: ReadonlyMap<string, Uint8Array>;
}

/** Decoders at work. */
export interface FrameReader {
  /** Returns a cutter for one direction of a port. */
  cutter(direction: Direction): FrameCutter;
  conversation(): Conversation;
}
