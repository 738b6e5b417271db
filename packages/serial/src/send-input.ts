/**
 * What a person types → bytes for a port. Two rules on purpose (docs/behaviour.md, "What is sent"): a pinned message with an odd
 * number of hex digits is refused, what is sent from the input gets a leading 0. Knows no port and no panel.
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
 * The bytes to send for the input line. Text is UTF-8 with the line ending; hex is sent as it is typed, without one, and
 * an odd number of digits is padded with a leading 0. Small hex letters count as large ones.
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

/** The bytes of a pinned message; as `encodeInput`, but an odd number of hex digits is refused. */
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

/** Null when there is anything but hex digits and whitespace. */
function hexDigits(text: string): string | null {
  const digits = text.replaceAll(/\s/g, '');
  return /^[0-9a-f]*$/i.test(digits) ? digits : null;
}

/** @param digits an even number of them. */
function bytesOf(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
}

function refuse(code: InputFailure): EncodedInput {
  return { ok: false, code, message: inputFailureText[code] };
}
