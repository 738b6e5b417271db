/** Releases the memory of a request's body before the garbage collector does (decision 22). */
import { maxHeaderSize } from 'node:http';

/**
 * Detaches the memory of `chunk`, which is empty afterwards. The caller must hold the only reference. Two kinds of
 * chunks are left alone. A part of a larger buffer shares it with the next part of a form. A small chunk may be the
 * form parser's own copy of a partial boundary; a boundary comes from a header, so it is shorter than the longest
 * header.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > maxHeaderSize) {
    buffer.transfer(0);
  }
}
