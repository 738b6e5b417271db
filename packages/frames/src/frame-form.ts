/** Form of a frame, and the results of matchers: parts that all framings share. */
import { NONE } from './steps/step-types.ts';
import { leftOver, type Matcher } from './stream-cutter.ts';

/** Place of the content in a frame, without escapes, delimiters and line ends. */
export interface FrameForm {
  /** Bytes before the content that its offsets do not count. */
  readonly skipped: number;
  /** Bytes that begin the content. Fields without an offset begin behind them. */
  readonly head: number;
  /** Bytes that end the content: the end marker and those behind it, without a checksum. */
  readonly tail: number;
  /** Bytes of `tail` that are behind the end marker. A checksum without a place is the last of them. */
  readonly after: number;
  /** True: the content is without the bytes before and behind it. */
  readonly isLine?: boolean;
  /** Content as it was before escaping; null: the frame has no escapes. */
  readonly decode:
    | ((frame: Uint8Array) => { readonly content: Uint8Array; readonly offsets: Uint32Array } | null)
    | null;
}

export const plainForm: FrameForm = { skipped: 0, head: 0, tail: 0, after: 0, decode: null };

/** Finds frames of one framing. */
export interface PartialKind {
  readonly matcher: Matcher;
  formOf(frame: Uint8Array): FrameForm;
  readonly isCut?: (frame: Uint8Array) => boolean;
}

/** `other`: the decoder does not apply to it, by its first bytes or its length. */
export type Verdict = 'right' | 'wrong' | 'other';

/**
 * Verifies a frame whose ends are known.
 *
 * @param wire The frame as it came, if `bytes` is its content.
 */
export type Verify = (
  bytes: Uint8Array,
  from: number,
  to: number,
  tail: number,
  wire?: { readonly bytes: Uint8Array; readonly from: number; readonly to: number },
) => Verdict;

/**
 * Returns the result of a matcher for a frame of this length.
 *
 * @param isDelimited True: a frame that is not of this decoder is left over as a whole.
 */
export function resultOf(verdict: Verdict, length: number, isDelimited: boolean): number {
  switch (verdict) {
    case 'right':
      return length;
    case 'wrong':
      return length > 1 ? -length : NONE;
    case 'other':
      return isDelimited ? leftOver(length) : NONE;
  }
}

/**
 * Decodes a frame into bytes of its own. The offsets have one more entry, for the end.
 *
 * @param end Offset in the frame after the content.
 */
export function unescaped(
  frame: Uint8Array,
  end: number,
  decode: (target: Uint8Array, offsets: Uint32Array) => number,
): { content: Uint8Array; offsets: Uint32Array } | null {
  const target = new Uint8Array(frame.length);
  const offsets = new Uint32Array(frame.length + 1);
  const length = decode(target, offsets);
  if (length < 0) {
    return null;
  }
  offsets[length] = Math.max(0, end);
  return { content: target.subarray(0, length), offsets };
}
