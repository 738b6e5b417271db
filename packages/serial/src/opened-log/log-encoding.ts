/**
 * Encodings of a log file, turned into the UTF-8 that the line store holds. UTF-8 and binary files keep their bytes, so
 * that damaged characters stay as they arrived. `@wirebench/port/given-text` recognises all but Latin-1.
 */

/** `bytes`: no text, such as a raw capture of a binary protocol. */
export const logEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1', 'bytes'] as const;
export type LogEncoding = (typeof logEncodings)[number];

type Bytes = Uint8Array<ArrayBuffer>;

const LINE_FEED = 0x0a;

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
