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
