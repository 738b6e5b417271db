/** Returns the bytes from `from` up to `to` as text of one character for each byte (ISO 8859-1). */
export function latinText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to && at < bytes.length; at++) {
    text += String.fromCharCode(bytes[at] as number);
  }
  return text;
}
