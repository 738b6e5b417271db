/** SHA-256 (FIPS 180-4), which ends an image and a secure boot signature. */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
const constants = primes(64).map((prime) => fraction(Math.cbrt(prime)));
/** Of the square roots of the first eight (section 5.3.3). */
const initial = primes(8).map((prime) => fraction(Math.sqrt(prime)));

/** The 32 bytes of the digest. */
export function sha256(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Int32Array.from(initial);
  const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(padded.length - 4, (data.length << 3) >>> 0);
  const schedule = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    addBlock(state, view, at, schedule);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (const [index, word] of state.entries()) {
    out.setInt32(index * 4, word);
  }
  return digest;
}

function addBlock(state: Int32Array, view: DataView, at: number, w: Int32Array): void {
  for (let index = 0; index < 16; index++) {
    w[index] = view.getInt32(at + index * 4);
  }
  for (let index = 16; index < 64; index++) {
    const early = w[index - 15] as number;
    const late = w[index - 2] as number;
    const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    w[index] = (w[index - 16] as number) + small + (w[index - 7] as number) + large;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g);
    const round = (constants[index] as number) + (w[index] as number);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + round) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] as number) + value;
  }
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) {
      found.push(candidate);
    }
  }
  return found;
}
