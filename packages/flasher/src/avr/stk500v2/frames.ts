/**
 * Frames of STK500 version 2 (AVR068, "Message Format"): start, sequence number, size of the body (big endian), token,
 * body, XOR of all bytes before.
 */

const START = 0x1b;
const TOKEN = 0x0e;
/** Bytes of a frame besides its body. */
export const FRAME_OVERHEAD = 6;
/** Largest body of an answer: a page of 256 bytes, with command and both status bytes. */
const MAXIMUM_BODY = 275;

/** Builds a frame. @param sequence 0 to 255; the answer repeats it. */
export function v2Frame(sequence: number, body: Uint8Array): Uint8Array {
  const frame = new Uint8Array(FRAME_OVERHEAD + body.length);
  frame.set([START, sequence, body.length >>> 8, body.length & 0xff, TOKEN]);
  frame.set(body, 5);
  frame[frame.length - 1] = xorOf(frame.subarray(0, -1));
  return frame;
}

export interface FoundFrame {
  readonly sequence: number;
  readonly body: Uint8Array;
  /** Bytes up to the end of the frame. */
  readonly used: number;
}

/** Finds the first intact frame; null if there is none yet. Other bytes before it are skipped. */
export function findV2Frame(bytes: Uint8Array): FoundFrame | null {
  for (let at = 0; at + FRAME_OVERHEAD <= bytes.length; at++) {
    if (bytes[at] !== START || bytes[at + 4] !== TOKEN) {
      continue;
    }
    const size = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    const end = at + FRAME_OVERHEAD + size;
    if (size > 0 && size <= MAXIMUM_BODY && end <= bytes.length) {
      if (bytes[end - 1] === xorOf(bytes.subarray(at, end - 1))) {
        return { sequence: bytes[at + 1] ?? 0, body: bytes.slice(at + 5, end - 1), used: end };
      }
    }
  }
  return null;
}

function xorOf(bytes: Uint8Array): number {
  let xor = 0;
  for (const byte of bytes) {
    xor ^= byte;
  }
  return xor;
}
