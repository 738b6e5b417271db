/** Encodes text as UTF-8 in at most `most` bytes, without half a character at its end. */
export function textWithin(text: string, most: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(most);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return bytes.slice(0, written);
}
