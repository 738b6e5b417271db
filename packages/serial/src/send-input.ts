/**
 * Converts typed input to bytes for a port. Hex input has two rules on purpose (docs/behaviour.md, "What is sent"). A
 * pinned message with an odd number of digits is refused; in the input line it gets a leading 0.
 */

export type LineEnding = 'none' | 'lf' | 'cr' | 'crlf';
export type InputMode = 'text' | 'hex';
export type InputFailure = 'too-long' | 'invalid-input-hex' | 'invalid-hex' | 'odd-hex';

export type EncodedInput =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly code: InputFailure; readonly message: string };

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
 * Encodes the input line. Text is UTF-8 with the line ending. Hex has no line ending, and an odd number of digits is
 * padded with a leading 0. Lower-case hex digits are accepted.
 */
export function encodeInput(text: string, mode: InputMode, lineEnding: LineEnding): EncodedInput {
  if (text.length > maxInputLength) {
    return refuse('too-long');
  }
  if (mode === 'text') {
    return encodeText(text, lineEnding);
  }
  const digits = hexDigits(text);
  if (digits === null) {
    return refuse('invalid-input-hex');
  }
  return { ok: true, bytes: bytesOf(digits.length % 2 === 0 ? digits : `0${digits}`) };
}

/** Encodes a pinned message as `encodeInput` does, but refuses an odd number of hex digits. */
export function encodePinned(text: string, mode: InputMode, lineEnding: LineEnding): EncodedInput {
  if (text.length > maxInputLength) {
    return refuse('too-long');
  }
  if (mode === 'text') {
    return encodeText(text, lineEnding);
  }
  const digits = hexDigits(text);
  if (digits === null) {
    return refuse('invalid-hex');
  }
  return digits.length % 2 === 0 ? { ok: true, bytes: bytesOf(digits) } : refuse('odd-hex');
}

function encodeText(text: string, lineEnding: LineEnding): EncodedInput {
  return { ok: true, bytes: encoder.encode(text + lineEndingBytes[lineEnding]) };
}

/** Removes whitespace. Returns null if the text contains anything but hex digits and whitespace. */
function hexDigits(text: string): string | null {
  const digits = text.replaceAll(/\s/g, '');
  return /^[0-9a-f]*$/i.test(digits) ? digits : null;
}

/** @param digits An even number of hex digits. */
function bytesOf(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

function refuse(code: InputFailure): EncodedInput {
  return { ok: false, code, message: inputFailureText[code] };
}
