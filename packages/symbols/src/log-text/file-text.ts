/** Decodes files that hold a log: UTF-8, and UTF-16 as written by Windows' Notepad and PowerShell's `>`. */

/** Number of bytes at the start of a file that decide between text and binary. */
const SAMPLE = 4_096;
/**
 * Maximum share of non-text characters in a text file. Logs contain some noise, caused by a reset or a wrong baud
 * rate.
 */
const MAX_NOISE = 0.1;
/** Characters that text does not contain, and the replacement character of invalid bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it counts
const NOISE = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g;

/** Returns the text of a file, without its byte order mark; null for a binary file. An empty file is text. */
export function fileText(bytes: Uint8Array): string | null {
  const encoding = encodingOf(bytes);
  const sample = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE));
  const noise = sample.match(NOISE)?.length ?? 0;
  return noise > sample.length * MAX_NOISE ? null : new TextDecoder(encoding).decode(bytes);
}

/** Detects the encoding by the byte order mark. Without one, zeros in every second byte indicate UTF-16. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || hasZeros(bytes, 1)) {
    return 'utf-16le';
  }
  return (first === 0xfe && second === 0xff) || hasZeros(bytes, 0) ? 'utf-16be' : 'utf-8';
}

/**
 * Returns true if nearly all bytes at even (`odd` 0) or odd (1) offsets of the sample are zero, and the others are
 * not.
 */
function hasZeros(bytes: Uint8Array, odd: 0 | 1): boolean {
  const sample = bytes.subarray(0, Math.min(SAMPLE, bytes.length & ~1));
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) {
    zeros[index & 1] = (zeros[index & 1] ?? 0) + (byte === 0 ? 1 : 0);
  }
  const half = sample.length / 2;
  return half > 0 && (zeros[odd] ?? 0) >= 0.9 * half && (zeros[1 - odd] ?? 0) <= 0.1 * half;
}
