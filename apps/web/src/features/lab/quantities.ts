/** Reads numbers that a person types into the bench. */

/** Parses a hexadecimal number, `D0` or `0xD0`; null for invalid text, and for numbers above `most`. */
export function parseHex(text: string, most: number): number | null {
  const digits = text.trim().replace(/^0x/i, '');
  const value = /^[\da-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  return value <= most ? value : null;
}

/**
 * Parses hexadecimal bytes, `F4 57`, `0xF4,0x57` or `F457`; no bytes for empty text, null for invalid text or more
 * than `most` bytes.
 */
export function parseBytes(text: string, most: number): Uint8Array | null {
  const words = text
    .trim()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => word.replace(/^0x/i, ''));
  const pairs = words.flatMap((word) => (word.length === 1 ? [word] : (word.match(/.{1,2}/g) ?? [])));
  const fits = words.every((word) => /^[\da-f]+$/i.test(word) && (word.length === 1 || word.length % 2 === 0));
  return fits && pairs.length <= most ? Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) : null;
}
