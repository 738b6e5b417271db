/**
 * Converts typed input to bytes for a port. Hex input has two rules on purpose (docs/behaviour.md, "What is sent"). A
 * pinned message with an odd number of digits is refused; in the input line it gets a leading 0.
 */

import { parseHexInput } from './hex-input.ts';
import { hexText } from './hex-text.ts';

export type LineEnding = 'none' | 'lf' | 'cr' | 'crlf';
export type InputMode = 'text' | 'hex';
export type InputFailure = 'too-long' | 'invalid-input-hex' | 'invalid-hex' | 'odd-hex';

export type EncodedInput =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly code: InputFailure; readonly message: string };

/** Pieces in which text goes to a slow receiver. */
export interface SendPieces {
  /** Most bytes of a piece. */
  readonly bytes: number;
  /** Rest on the wire after each piece, in milliseconds. */
  readonly pause: number;
}

export const pieceLimits = { mostBytes: 4_096, leastPause: 1, mostPause: 10_000 } as const;

/** Most characters of one message, in UTF-16 units, as the `maxlength` of an input counts them. */
export const maxInputLength = 256;

export const inputFailureText = {
  'too-long': 'Command exceeds maximum length of 256 characters. Please shorten your command.',
  'invalid-input-hex': 'Invalid hex input. Please enter valid hex characters (0-9, A-F)',
  'invalid-hex': 'Invalid hex characters detected',
  'odd-hex': 'Hex string must have even number of characters',
} satisfies Record<InputFailure, string>;

export const lineEndingBytes = {
  none: '',
  lf: '\n',
  cr: '\r',
  crlf: '\r\n',
} satisfies Record<LineEnding, string>;

const encoder = new TextEncoder();

/**
 * Encodes the input line. Text is UTF-8 with the line ending. Hex has no line ending; `hex-input.ts` has its notations
 * and its padding.
 *
 * @param limit Most characters. Default: those of a command.
 */
export function encodeInput(
  text: string,
  mode: InputMode,
  lineEnding: LineEnding,
  limit: number = maxInputLength,
): EncodedInput {
  if (text.length > limit) {
    return refuse('too-long');
  }
  if (mode === 'text') {
    return encodeText(text, lineEnding);
  }
  const hex = parseHexInput(text);
  return hex === null ? refuse('invalid-input-hex') : { ok: true, bytes: hex.bytes };
}

/**
 * Encodes a pinned message as `encodeInput` does, but refuses an odd number of digits without a prefix. Programs send so too:
 * no person sees the leading 0 before it goes.
 *
 * @param limit Most characters. Default: those of a command.
 */
export function encodePinned(
  text: string,
  mode: InputMode,
  lineEnding: LineEnding,
  limit: number = maxInputLength,
): EncodedInput {
  if (text.length > limit) {
    return refuse('too-long');
  }
  if (mode === 'text') {
    return encodeText(text, lineEnding);
  }
  const hex = parseHexInput(text);
  if (hex === null) {
    return refuse('invalid-hex');
  }
  return hex.isOdd ? refuse('odd-hex') : { ok: true, bytes: hex.bytes };
}

/**
 * Writes hex input as pairs of digits, which every reader of a JKit understands. Input that already is, and invalid
 * input, is only trimmed. The result is no longer than the input allows.
 */
export function tidyHex(text: string): string {
  const hex = parseHexInput(text);
  const isPairs = /^(?:[0-9a-f]{2}|\s)*$/i.test(text);
  if (hex === null || isPairs || hex.isOdd) {
    return text.trim();
  }
  const pairs = hexText(hex.bytes);
  return pairs.length <= maxInputLength ? pairs : pairs.replaceAll(' ', '');
}

function encodeText(text: string, lineEnding: LineEnding): EncodedInput {
  return { ok: true, bytes: encoder.encode(text + lineEndingBytes[lineEnding]) };
}

function refuse(code: InputFailure): EncodedInput {
  return { ok: false, code, message: inputFailureText[code] };
}
