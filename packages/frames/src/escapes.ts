/** Decodes the escapes of COBS (Cheshire and Baker, 1999) and SLIP (RFC 1055). */

const FULL_BLOCK = 0xff;
const SLIP_ESCAPE = 0xdb;
const SLIP_ESCAPED_END = 0xdc;
const SLIP_ESCAPED_ESCAPE = 0xdd;
const SLIP_END = 0xc0;

/**
 * Decodes the blocks of `bytes` from `from` up to `to`, without the 0 that ends them.
 *
 * @param offsets Takes the offset in `bytes` of each decoded byte; null: not needed.
 * @returns Number of decoded bytes; −1 if a code leads beyond the end.
 */
export function decodeCobs(
  bytes: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  offsets: Uint32Array | null,
): number {
  let length = 0;
  let at = from;
  while (at < to) {
    const code = bytes[at] as number;
    const end = at + code;
    if (code === 0 || end > to) {
      return -1;
    }
    for (let next = at + 1; next < end; next++) {
      if (offsets !== null) {
        offsets[length] = next;
      }
      target[length++] = bytes[next] as number;
    }
    if (code !== FULL_BLOCK && end < to) {
      if (offsets !== null) {
        // The 0 is in the code that follows the block.
        offsets[length] = end;
      }
      target[length++] = 0;
    }
    at = end;
  }
  return length;
}

/** Decodes as `decodeCobs` does. Returns −1 for an escape that RFC 1055 does not have. */
export function decodeSlip(
  bytes: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  offsets: Uint32Array | null,
): number {
  let length = 0;
  for (let at = from; at < to; at++) {
    const start = at;
    let byte = bytes[at] as number;
    if (byte === SLIP_ESCAPE) {
      const escaped = bytes[++at];
      if (at >= to || (escaped !== SLIP_ESCAPED_END && escaped !== SLIP_ESCAPED_ESCAPE)) {
        return -1;
      }
      byte = escaped === SLIP_ESCAPED_END ? SLIP_END : SLIP_ESCAPE;
    }
    if (offsets !== null) {
      offsets[length] = start;
    }
    target[length++] = byte;
  }
  return length;
}

const hexDigits = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  for (const text of [digit.toString(16), digit.toString(16).toUpperCase()]) {
    hexDigits[text.charCodeAt(0)] = digit;
  }
}

/** Between pairs of hex digits: tab, line feed, carriage return, blank. */
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0d || byte === 0x0a || byte === 0x09;

/**
 * Decodes pairs of hex digits of either case. Blanks and line ends may be between pairs. The parameters are those of
 * `decodeCobs`.
 *
 * @returns Number of decoded bytes; −1 − offset of the first byte that is neither, or of a digit without its pair.
 */
export function decodeHex(
  bytes: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  offsets: Uint32Array | null,
): number {
  let length = 0;
  for (let at = from; at < to; ) {
    const byte = bytes[at] as number;
    if (isBlank(byte)) {
      at++;
      continue;
    }
    const high = hexDigits[byte] as number;
    const low = at + 1 < to ? (hexDigits[bytes[at + 1] as number] as number) : -1;
    if (high < 0 || low < 0) {
      return -1 - (high < 0 ? at : at + 1);
    }
    if (offsets !== null) {
      offsets[length] = at;
    }
    target[length++] = high * 16 + low;
    at += 2;
  }
  return length;
}
