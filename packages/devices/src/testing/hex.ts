/** Bytes as hex digits, for tests that compare them with documents. */

export function hexOf(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Parses hex digits; white space between them is ignored. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.replaceAll(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
