/** SHA-256 by the platform: browsers have it wherever they have Web Serial, Node always. */

/** 32 bytes. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  // Bytes in shared memory are refused by digest(): those are copied.
  const own = isUnshared(bytes) ? bytes : new Uint8Array(bytes);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', own));
}

function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
