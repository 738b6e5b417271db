/**
 * Encodings of a log file: recognised by its first bytes, and turned into the UTF-8 that the line store holds. UTF-8 and
 * binary files keep their bytes, so that damaged characters stay as they arrived.
 */

/** `bytes`: no text, such as a raw capture of a binary protocol. */
export const logEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'bytes'] as const;
export type LogEncoding = (typeof logEncodings)[number];

type Bytes = Uint8Array<ArrayBuffer>;

/** Most control characters and invalid bytes of a text, as a share. Resets and wrong baud rates leave some. */
const MAX_NOISE = 0.1;
/** Character in the place of an invalid byte. */
const INVALID = '\ufffd';
/** Characters that text does not contain. Escape, tabs, line ends and backspace are text of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it counts
const NOISE = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g;
const LINE_FEED = 0x0a;

export interface FoundEncoding {
  readonly encoding: LogEncoding;
  /** Length of the byte order mark. */
  readonly mark: number;
  /** True: some bytes are no UTF-8, so the file may be Latin-1. */
  readonly isDamaged: boolean;
}

/** @param head First bytes of the file, at most. */
export function encodingOf(head: Uint8Array): FoundEncoding {
  const [first, second, third] = head;
  // Noise on a line and binary protocols begin with any bytes, so a mark counts only before text.
  if (first === 0xff && second === 0xfe && isWideText(head.subarray(2), 'utf-16le')) {
    return { encoding: 'utf-16le', mark: 2, isDamaged: false };
  }
  if (first === 0xfe && second === 0xff && isWideText(head.subarray(2), 'utf-16be')) {
    return { encoding: 'utf-16be', mark: 2, isDamaged: false };
  }
  const mark = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
  const wide = mark === 0 ? wideEncoding(head) : null;
  if (wide !== null) {
    return { encoding: wide, mark: 0, isDamaged: false };
  }
  const text = head.subarray(mark);
  // Decodes a part of a stream, because the end of the sample may cut a character.
  const characters = new TextDecoder().decode(text, { stream: true });
  const noise: readonly string[] = characters.match(NOISE) ?? [];
  if (noise.length > characters.length * MAX_NOISE) {
    return { encoding: 'bytes', mark: 0, isDamaged: false };
  }
  return { encoding: 'utf-8', mark, isDamaged: noise.includes(INVALID) };
}

/** Recognises UTF-16 without a mark: nearly every second byte is zero, and hardly any other. */
function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = head.length >> 1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    even += head[at] === 0 ? 1 : 0;
    odd += head[at + 1] === 0 ? 1 : 0;
  }
  if (pairs < 2) {
    return null;
  }
  if (odd >= 0.9 * pairs && even <= 0.1 * pairs) {
    return isWideText(head, 'utf-16le') ? 'utf-16le' : null;
  }
  return even >= 0.9 * pairs && odd <= 0.1 * pairs && isWideText(head, 'utf-16be') ? 'utf-16be' : null;
}

/** Least share of ASCII in UTF-16: digits, blanks and line ends of a log. Of random units, 0.2 % are ASCII. */
const MIN_ASCII = 0.02;
/** Units that no text has: unassigned or private ones, and the control characters of Latin-1. */
const NO_TEXT = /[\p{Cn}\p{Co}\u0080-\u009f]/gu;

function isWideText(units: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(units.subarray(0, units.length & ~1), {
    stream: true,
  });
  const noise = (text.match(NOISE)?.length ?? 0) + (text.match(NO_TEXT)?.length ?? 0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
  const ascii = text.match(/[\u0001-\u007f]/g)?.length ?? 0;
  return noise <= text.length * MAX_NOISE && ascii >= text.length * MIN_ASCII;
}

const encoder = new TextEncoder();

/** Returns whole characters of the file as UTF-8. May return `bytes` itself. */
export function asUtf8(bytes: Bytes, encoding: LogEncoding): Bytes {
  switch (encoding) {
    case 'utf-8':
    case 'bytes':
      return bytes;
    case 'utf-16le':
    case 'utf-16be':
      return encoder.encode(new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes));
    case 'latin1':
      return fromLatin1(bytes);
  }
}

function fromLatin1(bytes: Bytes): Bytes {
  let high = 0;
  for (const byte of bytes) {
    high += byte >> 7;
  }
  if (high === 0) {
    return bytes;
  }
  const text = new Uint8Array(bytes.length + high);
  let at = 0;
  for (const byte of bytes) {
    if (byte < 0x80) {
      text[at++] = byte;
    } else {
      text[at++] = 0xc0 | (byte >> 6);
      text[at++] = 0x80 | (byte & 0x3f);
    }
  }
  return text;
}

/** Returns the offset after the last newline; 0 without one. */
export function afterLastLine(bytes: Uint8Array, encoding: LogEncoding): number {
  for (let at = bytes.lastIndexOf(LINE_FEED); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1)) {
    const end = newlineEnd(bytes, at, encoding);
    if (end !== 0) {
      return end;
    }
  }
  return 0;
}

/** Returns the offset after the first newline; -1 without one. */
export function afterFirstLine(bytes: Uint8Array, encoding: LogEncoding): number {
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const end = newlineEnd(bytes, at, encoding);
    if (end !== 0) {
      return end;
    }
  }
  return -1;
}

/** Returns the offset after the newline whose 0x0A is at `at`; 0 if that byte is a part of another character. */
function newlineEnd(bytes: Uint8Array, at: number, encoding: LogEncoding): number {
  switch (encoding) {
    case 'utf-16le':
      return at % 2 === 0 && bytes[at + 1] === 0 ? at + 2 : 0;
    case 'utf-16be':
      return at % 2 === 1 && bytes[at - 1] === 0 ? at + 1 : 0;
    default:
      return at + 1;
  }
}
