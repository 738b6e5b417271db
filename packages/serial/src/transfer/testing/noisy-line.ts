/** Noise of a line, where bytes are dropped, doubled and changed, and files to send over it. */
import { random, randomBytes } from '@wirebench/test-input';

export interface Noise {
  /** Tells apart the lines of a test. */
  readonly seed: number;
  /** Probability for each byte, from 0 to 1. */
  readonly drop?: number;
  readonly double?: number;
  readonly change?: number;
}

/** Returns a function that passes bytes on with their damage. Counts bytes over all calls. */
export function noisyLine({ seed, drop = 0, double = 0, change = 0 }: Noise): (bytes: Uint8Array) => Uint8Array {
  const { next, below } = random(`line ${seed}`);
  return (bytes) => {
    const out: number[] = [];
    for (const byte of bytes) {
      const draw = next();
      if (draw < drop) {
        continue;
      }
      const changed = draw > 1 - change ? byte ^ (1 << below(8)) : byte;
      out.push(changed);
      if (draw >= drop && draw < drop + double) {
        out.push(changed);
      }
    }
    return Uint8Array.from(out);
  };
}

/** Returns the bytes of a file. `label` tells apart the files of a test. */
export const fileBytes = (length: number, label: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(randomBytes(length, random(`file ${label}`)));
