/**
 * Returns a 64-bit hash as 16 hexadecimal digits. It distinguishes contents and is not cryptographic: FNV-1a, run
 * twice with different offsets.
 */
export function bytesHash(bytes: Uint8Array): string {
  let [one, other] = [0x811c_9dc5, 0x050c_5d1f];
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x0100_0193);
    other = Math.imul(other ^ (byte + 0x9d), 0x0100_0193) ^ (one >>> 15);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export function textHash(text: string): string {
  return bytesHash(new TextEncoder().encode(text));
}
