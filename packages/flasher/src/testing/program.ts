/** Generates bytes to write. */
import { createRandom } from '@wirebench/devices/random';

/** Returns bytes that resemble a program: partly compressible, and different for each seed. */
export function program(length: number, seed = 1): Uint8Array {
  return noise(length, seed).map((byte, index) => ((index & 12) === 0 ? byte : (index >>> 4) & 0xff));
}

/** Returns incompressible bytes. Every byte value occurs. */
export function noise(length: number, seed = 1): Uint8Array {
  const { below } = createRandom(seed, 'bytes');
  return Uint8Array.from({ length }, () => below(256));
}
