/** Sources of bytes in memory, such as a fixture. The app reads files in pieces with `blobSource`. */
import type { ByteSource } from '../byte-source.ts';

/** Makes a source of the bytes, without a copy. */
export function bytesSource(bytes: ArrayBuffer | Uint8Array): ByteSource {
  const all = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  return { size: all.length, read: async (offset, length) => all.subarray(offset, offset + length) };
}
