/** Lost bytes and flipped bits. The seed decides them byte by byte, so chunk sizes have no influence. */
import type { Random } from '../random.ts';

export interface NoiseLevel {
  /** Probability that a byte is lost, 0 to 1. */
  readonly drop?: number;
  /** Probability that one bit of a byte flips, 0 to 1. */
  readonly flip?: number;
}

export interface NoisyBytes {
  /** Receives unchanged bytes. */
  clean(bytes: Uint8Array): void;
  /** Receives a byte with one flipped bit. */
  flipped(byte: number): void;
}

export class Noise {
  readonly #drop: number;
  readonly #flip: number;
  readonly #drops: Random;
  readonly #flips: Random;

  constructor({ drop = 0, flip = 0 }: NoiseLevel, random: (purpose: string) => Random) {
    this.#drop = drop;
    this.#flip = flip;
    this.#drops = random('drop');
    this.#flips = random('flip');
  }

  pass(bytes: Uint8Array, onward: NoisyBytes): void {
    if (this.#drop === 0 && this.#flip === 0) {
      onward.clean(bytes);
      return;
    }
    let from = 0;
    const handOn = (to: number) => {
      if (to > from) {
        onward.clean(bytes.subarray(from, to));
      }
      from = to + 1;
    };
    for (const [at, byte] of bytes.entries()) {
      const dropped = this.#drop > 0 && this.#drops.next() < this.#drop;
      const flipped = this.#flip > 0 && this.#flips.next() < this.#flip;
      if (dropped) {
        handOn(at);
      } else if (flipped) {
        handOn(at);
        onward.flipped(byte ^ (1 << this.#flips.below(8)));
      }
    }
    handOn(bytes.length);
  }
}
