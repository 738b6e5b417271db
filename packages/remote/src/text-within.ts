/** Text as UTF-8 within a number of bytes, without half a character at its end. */
export function textWithin(text: string, most: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(most);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return bytes.slice(0, written);
}
