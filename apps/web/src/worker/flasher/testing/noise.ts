import { createRandom } from '@wirebench/devices/random';

/** Returns bytes that do not compress, the same on each call. */
export function noise(length: number): Uint8Array<ArrayBuffer> {
  const { below } = createRandom(1, 'bytes');
  return Uint8Array.from({ length }, () => below(256));
}
