/** Returns bytes that look like code: neither erased nor all equal. The content depends on the seed. */
export function filler(length: number, seed = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) {
    bytes[index] = index * 37 + (index >> 8) * 11 + seed * 101;
  }
  return bytes;
}
