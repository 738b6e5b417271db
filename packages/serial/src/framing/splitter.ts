/**
 * What every framing does: look through received bytes for the place where a frame ends. A frame is one line of the timeline,
 * whether it is text or a packet. Knows bytes only: no ring, no channel, no time.
 */

/** Ended too early (`incomplete`), broke the rules of its framing (`invalid`), or had more bytes than a line may (`too-long`). */
export type FrameFault = 'incomplete' | 'invalid' | 'too-long';

export const frameFaultText = {
  incomplete: 'Incomplete frame',
  invalid: 'Invalid frame',
  'too-long': 'Frame too long',
} satisfies Record<FrameFault, string>;

/** The content of a whole frame, from its bytes as they arrived. */
export type DecodeFrame = (frame: Uint8Array) => Uint8Array<ArrayBuffer>;

/** Goes through one stream, frame by frame; asked for the next end in a chunk, not for each byte. */
export interface Splitter {
  /** A frame also ends when nothing came for this many milliseconds; null for never. */
  readonly gap: number | null;
  /** What a frame is that has to end before its end came; null where it is as good as any other, as with text. */
  readonly unfinished: 'incomplete' | null;
  /** Null where a row shows the bytes as they arrived. */
  readonly decode: DecodeFrame | null;
  /** How many of the last bytes that `next` looked at are the line ending, which text leaves out; at most 31, for which flags have room. */
  readonly ending: number;
  /** The byte that still belongs to the ending of the last frame when it comes next; -1 or left out for none. */
  readonly trailing?: number;
  /** Of the frame whose end `next` found: null when it is good. */
  readonly fault: 'invalid' | null;
  /** Of a good frame whose end `next` found, where there is a `decode`: the bytes of its content. */
  readonly decodedLength: number;

  /**
   * Goes on through `bytes`, from `from` up to `to`, at least one byte. Returns where the frame ends, which is after its last
   * byte; -1 when it goes on after `to`.
   */
  next(bytes: Uint8Array, from: number, to: number): number;

  /** A new frame begins with the next byte, whatever came of the last one. */
  restart(): void;
}
