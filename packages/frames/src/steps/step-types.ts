/**
 * Steps: parts of a decoder in code, for what data cannot say. A decoder selects them by name; `steps.ts` lists them.
 */
import type { DecoderChecksum, DecoderContent, DecoderStep } from '@wirebench/contract/decoders';
import type { DecodedField, DecodedFrame, Direction, FrameLink, FrameSettings } from '../frame-types.ts';

/** More bytes are needed to decide. */
export const UNDECIDED = 0;
/** No frame begins here. */
export const NONE = -1;

export interface Step {
  /**
   * Prepares the step for one decoder.
   *
   * @throws DecoderError with a sentence, if a file of the decoder cannot be read.
   */
  prepare(decoder: DecoderContent, settings: FrameSettings): StepParts;
}

/** Parts of a step. A decoder with two steps runs them in its order. */
export interface StepParts {
  /** First bytes that a measured frame may have; null or omitted: any. */
  readonly firstBytes?: readonly number[] | null;
  /**
   * Looks for a frame at `from`.
   *
   * @param to Offset after the last byte that is there.
   * @param isLast True: no more bytes come, so the result must not be UNDECIDED.
   * @returns Its length if its checksum is right; UNDECIDED; NONE; −length (at most −2) of a broken frame; or
   *   `leftOver(length)` for bytes in which no frame begins.
   */
  measure?(bytes: Uint8Array, from: number, to: number, isLast: boolean): number;
  /**
   * Decides about bytes at whose positions `measure` found nothing, up to the next frame or silence.
   *
   * @param boundaries Offsets between `from` and `to` at which bytes came after a silence of 2 ms or more.
   * @param isFirst True: nothing came before `from`, so a frame may have begun before the stream.
   * @returns Length of a right frame at `from`; −length (at most −2) of a broken one; NONE: left over up to the next
   *   boundary.
   */
  settle?(bytes: Uint8Array, from: number, to: number, boundaries: readonly number[], isFirst: boolean): number;
  /** Checksum that the step itself checks, of the kind that a decoder states. */
  readonly checksum?: DecoderChecksum;
  /** Adds fields and words to a right frame. The decoder's own fields are in the draft already. */
  decode?(draft: FrameDraft): void;
  /** Returns true for a broken frame that is shorter than its own bytes say. */
  isCut?(frame: Uint8Array): boolean;
  /** Returns the device, unit or talker of a broken frame, if its bytes say one. */
  whoOfBroken?(frame: Uint8Array): string | null;
  /** Says what is wrong with a broken frame; null: its bytes do not say. */
  describeBroken?(frame: Uint8Array): BrokenFrame | null;
  /** Creates the state of a conversation, which decides what belongs together. */
  converse?(): StepConversation;
}

export interface BrokenFrame {
  /** Missing: its bytes do not say which it is. */
  readonly message?: string;
  /** Fault in words: `12 bytes, wrong checksum`. Missing: the end or the checksum, as the frame's length says. */
  readonly fault?: string;
  /** Fields that say why. None has a value of the content. Missing: none. */
  readonly fields?: readonly DecodedField[];
}

export interface StepConversation {
  /** Takes the next right frame of this decoder. Undefined: the decoder's own pairing decides. */
  add(frame: ConversationFrame): FrameLink | undefined;
  /** Takes a broken frame, in order with the right ones. */
  addBroken?(frame: ConversationFrame): void;
  unanswered?(now: number): readonly { readonly index: number; readonly limit: number }[];
}

export interface ConversationFrame {
  readonly bytes: Uint8Array;
  readonly index: number;
  readonly direction: Direction;
  /** Times of its first byte and after its last, in ms. */
  readonly from: number;
  readonly to: number;
}

/** A frame while it is decoded. Steps change it. */
export interface FrameDraft {
  /** Frame as it came on the wire. */
  readonly wire: Uint8Array;
  /** Content without escapes and delimiters. */
  readonly content: Uint8Array;
  readonly direction: Direction;
  readonly link: FrameLink;
  kind: DecodedFrame['kind'];
  message: string;
  /** Empty: who and the message. */
  key: string;
  who: string | null;
  /** Empty: the decoder's line, or all fields. A function is called when the row is shown. */
  sentence: string | (() => string);
  adapterAt: number | undefined;
  readonly fields: DecodedField[];
  /** Returns the offset on the wire of an offset in the content. */
  wireOffset(at: number): number;
  /** Returns the value before scale of a field that is there already; undefined: there is none. */
  rawOf(name: string): number | bigint | string | undefined;
}

/** The code of every step that a decoder may select. */
export type StepRegistry = Readonly<Record<DecoderStep, Step>>;
