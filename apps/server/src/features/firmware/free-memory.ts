/** Gives memory of a request's body back before garbage is collected (decision 22). Knows no forms. */

/**
 * For whoever alone still has `chunk`, which is empty afterwards. One that is a part of a larger buffer is left as it is: the rest
 * of the buffer may be the next part of a form.
 */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) {
    buffer.transfer(0);
  }
}
