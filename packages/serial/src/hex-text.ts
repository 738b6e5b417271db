const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

/** Formats bytes as hex digits: `0D 0A`. */
export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += text === '' ? hexPairs[byte] : ` ${hexPairs[byte]}`;
  }
  return text;
}
