/** SHA-256 by the platform. Secure pages have it, and so does Node. */

import { hexOf } from '../core/bytes.ts';

/** Returns the hash as lower-case hexadecimal. */
export const sha256Hex = async (bytes: Uint8Array): Promise<string> => hexOf(await sha256(bytes));

/** Works like `sha256Hex`. Empty if the browser denies `crypto.subtle` to a page over plain http. */
export const sha256Of = async (bytes: Uint8Array): Promise<string> =>
  (crypto as Partial<Crypto>).subtle === undefined ? '' : sha256Hex(bytes);

/** Returns the hash as 32 bytes. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  // digest() refuses shared memory, so bytes in it are copied.
  const own = isUnshared(bytes) ? bytes : new Uint8Array(bytes);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', own));
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
