/** Generates bytes to write. */

/** Returns bytes that resemble a program: partly compressible, and different for each seed. */
export function program(length: number, seed = 1): Uint8Array {
  return noise(length, seed).map((byte, index) => ((index & 12) === 0 ? byte : (index >>> 4) & 0xff));
}

/** Returns incompressible bytes. Every byte value occurs. */
export function noise(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2_654_435_761;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
