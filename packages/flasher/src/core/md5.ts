/**
 * MD5 (RFC 1321): Espressif's bootloaders hash flash with it, and a partition table ends with one. It detects
 * accidental damage only, not manipulation. Implemented here because Web Crypto has no MD5.
 */
import { hexOf } from './bytes.ts';

/** Shift amounts of the rounds (RFC 1321, section 3.4). */
const ROTATIONS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
/** `floor(2³² × abs(sin(i + 1)))` (RFC 1321, section 3.4). */
const SINES = Int32Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32));

/** Returns the MD5 as 32 lower-case hexadecimal digits. */
export function md5(bytes: Uint8Array): string {
  return hexOf(md5Bytes(bytes));
}

/** Returns the MD5 as 16 bytes. */
export function md5Bytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  const words = new Int32Array(16);
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 64) {
    mix(state, words, view, at);
  }
  const rest = bytes.subarray(whole);
  const tail = new Uint8Array(rest.length < 56 ? 64 : 128);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const tailView = new DataView(tail.buffer);
  tailView.setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n, true);
  for (let at = 0; at < tail.length; at += 64) {
    mix(state, words, tailView, at);
  }
  const digest = new Uint8Array(16);
  const digestView = new DataView(digest.buffer);
  for (const [index, word] of state.entries()) {
    digestView.setInt32(index * 4, word, true);
  }
  return digest;
}

/** Mixes one block of 64 bytes into `state`. `words` is scratch space. */
function mix(state: Int32Array, words: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index++) {
    words[index] = view.getInt32(offset + index * 4, true);
  }
  let [a = 0, b = 0, c = 0, d = 0] = state;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    let mixed: number;
    let word: number;
    if (round === 0) {
      mixed = (b & c) | (~b & d);
      word = step;
    } else if (round === 1) {
      mixed = (d & b) | (~d & c);
      word = (5 * step + 1) & 15;
    } else if (round === 2) {
      mixed = b ^ c ^ d;
      word = (3 * step + 5) & 15;
    } else {
      mixed = c ^ (b | ~d);
      word = (7 * step) & 15;
    }
    const sum = (a + mixed + (SINES[step] ?? 0) + (words[word] ?? 0)) | 0;
    const rotation = ROTATIONS[round * 4 + (step & 3)] ?? 0;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << rotation) | (sum >>> (32 - rotation)))) | 0;
  }
  state[0] = ((state[0] ?? 0) + a) | 0;
  state[1] = ((state[1] ?? 0) + b) | 0;
  state[2] = ((state[2] ?? 0) + c) | 0;
  state[3] = ((state[3] ?? 0) + d) | 0;
}
