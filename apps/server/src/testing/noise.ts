/** Bytes of a file that nobody can take for firmware: random ones begin like an image every now and then, and are refused as a damaged one. */
import { randomBytes } from 'node:crypto';

/** @param length in bytes, at least one. */
export function noise(length: number): Buffer<ArrayBuffer> {
  const bytes = randomBytes(length);
  bytes[0] = 0x01;
  return bytes;
}
