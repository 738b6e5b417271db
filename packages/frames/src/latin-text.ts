/** Returns the bytes from `from` up to `to` as text of one character for each byte (ISO 8859-1). */
export function latinText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to && at < bytes.length; at++) {
    text += String.fromCharCode(bytes[at] as number);
  }
  return text;
}

/** Returns true for bytes that lines of text have: printable ASCII, and its white space. */
export function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}
