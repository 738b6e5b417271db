/** Contents of flash and of programs in recorded sessions: xorshift32 with 13, 17, 5, the low byte of each state. */
export function pattern(seed: number, length: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  });
}
