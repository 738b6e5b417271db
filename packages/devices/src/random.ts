/**
 * Pseudo-random numbers from a seed: a fault or a sensor value repeats in every run with the same seed. Not for
 * secrets.
 */

/** Mixes the bits of a 32-bit number. Equal numbers give equal results, neighbours give unrelated ones. */
export function mix32(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

export interface Random {
  /** The next number, 0 ≤ n < 1. */
  next(): number;
  /** The next whole number, 0 ≤ n < `limit`. */
  below(limit: number): number;
}

/**
 * Creates a sequence that depends on `seed` and `purpose`. Sequences of two purposes are independent: enabling one
 * fault does not move the others.
 */
export function createRandom(seed: number, purpose: string): Random {
  let state = seed | 0;
  for (const character of purpose) {
    state = mix32(state ^ (character.codePointAt(0) ?? 0));
  }
  const next = () => {
    // The odd constant is 2³² divided by the golden ratio: steps of it visit every 32-bit number once (Weyl sequence).
    state = (state + 0x9e3779b9) | 0;
    return mix32(state) / 2 ** 32;
  };
  return { next, below: (limit) => Math.floor(next() * limit) };
}
