/** MD5 (RFC 1321), as the ROM and the stub compute it over flash. */
import { viewOf } from '../byte-fields.ts';

const shifts = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;
/** RFC 1321, section 3.4: the integer part of 2³² × |sin i|. */
const sines = Int32Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32) | 0);
const rotations = Uint8Array.from({ length: 64 }, (_, index) => shifts[index >> 4]?.[index & 3] ?? 0);
/** Which word of the block each of the 64 steps takes. */
const words = Uint8Array.from({ length: 64 }, (_, index) => {
  const step = index & 15;
  return [step, (5 * step + 1) & 15, (3 * step + 5) & 15, (7 * step) & 15][index >> 4] ?? 0;
});

/** The 16 bytes of the digest. */
export function md5(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Int32Array.of(0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476);
  const whole = data.length & ~63;
  const block = new Int32Array(16);
  const view = viewOf(data);
  for (let at = 0; at < whole; at += 64) {
    addBlock(state, view, at, block);
  }
  const rest = data.length - whole;
  const tail = new Uint8Array(rest < 56 ? 64 : 128);
  tail.set(data.subarray(whole));
  tail[rest] = 0x80;
  const tailView = new DataView(tail.buffer);
  tailView.setUint32(tail.length - 8, (data.length << 3) >>> 0, true);
  tailView.setUint32(tail.length - 4, Math.floor(data.length / 2 ** 29), true);
  for (let at = 0; at < tail.length; at += 64) {
    addBlock(state, tailView, at, block);
  }
  const digest = new Uint8Array(16);
  const out = new DataView(digest.buffer);
  for (const [index, word] of state.entries()) {
    out.setInt32(index * 4, word, true);
  }
  return digest;
}

function addBlock(state: Int32Array, view: DataView, at: number, block: Int32Array): void {
  for (let index = 0; index < 16; index++) {
    block[index] = view.getInt32(at + index * 4, true);
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  for (let step = 0; step < 64; step++) {
    let mixed: number;
    if (step < 16) {
      mixed = (b & c) | (~b & d);
    } else if (step < 32) {
      mixed = (b & d) | (c & ~d);
    } else if (step < 48) {
      mixed = b ^ c ^ d;
    } else {
      mixed = c ^ (b | ~d);
    }
    const sum = (a + mixed + (block[words[step] as number] as number) + (sines[step] as number)) | 0;
    const by = rotations[step] as number;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << by) | (sum >>> (32 - by)))) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
}
