/**
 * Text of files that people give: UTF-8, and UTF-16 as Windows' Notepad and PowerShell's `>` write it, with and without
 * a byte order mark.
 */

type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface FoundEncoding {
  /** `bytes`: no text, such as a raw capture of a binary protocol. */
  readonly encoding: TextEncoding | 'bytes';
  /** Length of the byte order mark. */
  readonly mark: number;
  /** True: some bytes are no UTF-8, so the file may be Latin-1. */
  readonly isDamaged: boolean;
}

/** Bytes at the start of a file that decide its encoding. */
const SAMPLE = 4_096;
/** Most control characters and invalid bytes of a text, as a share. Resets and wrong baud rates leave some. */
const MAX_NOISE = 0.1;
/** Character in the place of an invalid byte. */
const INVALID = '\ufffd';
/** Characters that text does not contain. Escape, tabs, line ends and backspace are text of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it counts
const NOISE = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g;

/** Returns the text of a file, without its byte order mark. Invalid bytes become U+FFFD. */
export function givenText(bytes: Uint8Array): string {
  return new TextDecoder(textEncodingOf(bytes)).decode(bytes);
}

/** Returns the text of a file, without its byte order mark; null if some of its bytes are invalid in its encoding. */
export function intactText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(textEncodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    // The only reason for an error.
    return null;
  }
}

/** Returns the text of a file as `givenText` does; null for a binary file. An empty file is text. */
export function fileText(bytes: Uint8Array): string | null {
  return encodingOf(bytes.subarray(0, SAMPLE)).encoding === 'bytes' ? null : givenText(bytes);
}

function textEncodingOf(bytes: Uint8Array): TextEncoding {
  const { encoding } = encodingOf(bytes.subarray(0, SAMPLE));
  return encoding === 'bytes' ? 'utf-8' : encoding;
}

/**
 * Finds the encoding of a text.
 *
 * @param head First bytes of the file, or all. It may end inside a character.
 */
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
