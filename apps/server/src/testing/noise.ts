/**
 * Random bytes of a file that is not mistaken for firmware. Purely random bytes sometimes begin like an image and are
 * refused as a damaged one.
 */
import { randomBytes } from '@wirebench/test-input';

/** @param length Bytes, at least one. */
export function noise(length: number): Buffer<ArrayBuffer> {
  const bytes = randomBytes(length);
  bytes[0] = 0x01;
  return bytes;
}
