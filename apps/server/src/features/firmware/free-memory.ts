/** Gives memory of a request's body back before garbage is collected (decision 22). Knows no forms. */
import { maxHeaderSize } from 'node:http';

/**
 * Detaches the memory of `chunk`, which is empty afterwards. The caller must be the only one that still has it. Two kinds of chunks
 * stay as they are: a part of a larger buffer, whose rest may be the next part of a form; and a small one, which may be the form
 * parser's own copy of what began like the boundary. A boundary is in a header, so that one is shorter than the longest header.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > maxHeaderSize) {
    buffer.transfer(0);
  }
}
