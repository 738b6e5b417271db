/** Noise of a line by seed: bytes are dropped, doubled and changed. */

export interface Noise {
  readonly seed: number;
  /** Probability for each byte, from 0 to 1. */
  readonly drop?: number;
  readonly double?: number;
  readonly change?: number;
}

/** Returns a function that passes bytes on with their damage. Counts bytes over all calls. */
export function noisyLine({ seed, drop = 0, double = 0, change = 0 }: Noise): (bytes: Uint8Array) => Uint8Array {
  const random = randomNumbers(seed);
  return (bytes) => {
    const out: number[] = [];
    for (const byte of bytes) {
      const draw = random();
      if (draw < drop) {
        continue;
      }
      const changed = draw > 1 - change ? byte ^ (1 << Math.floor(random() * 8)) : byte;
      out.push(changed);
      if (draw >= drop && draw < drop + double) {
        out.push(changed);
      }
    }
    return Uint8Array.from(out);
  };
}

/** Numbers from 0 to below 1 by seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = randomNumbers(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}
