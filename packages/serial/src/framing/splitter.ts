/**
 * Interface of a framing at work: finds the end of each frame in received bytes. A frame is one line of the timeline,
 * text or packet. It works on bytes only, without ring, channel or time.
 */

/**
 * Fault of a frame: it ended too early (`incomplete`), broke the rules of its framing (`invalid`), or exceeded the
 * length of a line (`too-long`).
 */
export type FrameFault = 'incomplete' | 'invalid' | 'too-long';

export const frameFaultText = {
  incomplete: 'Incomplete frame',
  invalid: 'Invalid frame',
  'too-long': 'Frame too long',
} satisfies Record<FrameFault, string>;

/** Decodes the content of a whole frame from its bytes as they arrived. */
export type DecodeFrame = (frame: Uint8Array) => Uint8Array<ArrayBuffer>;

/** Goes through one stream frame by frame. It is called for the next end in a chunk, not for each byte. */
export interface Splitter {
  /**
   * A frame also ends after this many milliseconds without a byte, an integer; null: never. May depend on the bytes of
   * the frame so far.
   */
  readonly gap: number | null;
  /** Fault of a frame that is finished before its end; null if such a frame is valid, as for text. */
  readonly unfinished: 'incomplete' | null;
  /** Decoder of the content; null if a row shows the bytes as they arrived. */
  readonly decode: DecodeFrame | null;
  /**
   * Length of the line ending in the bytes that `next` has taken, which text leaves out. At most 31, the room in the
   * flags.
   */
  readonly ending: number;
  /** Byte that extends the ending of the last frame if it comes next; -1 or omitted: no such byte. */
  readonly trailing?: number;
  /** Fault of the frame whose end `next` found; null for a valid frame. */
  readonly fault: 'incomplete' | 'invalid' | null;
  /** Length of the decoded content of that frame, if it is valid and there is a `decode`. */
  readonly decodedLength: number;

  /**
   * Continues with `bytes` from `from` up to `to`, at least one byte.
   *
   * @returns Offset after the last byte of the frame; -1 if the frame continues after `to`.
   */
  next(bytes: Uint8Array, from: number, to: number): number;

  /** Starts a new frame with the next byte, whatever the state of the last one. */
  restart(): void;
}
