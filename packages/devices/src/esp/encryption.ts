/**
 * A stand-in for flash encryption. Plain text looks like noise in flash and vice versa, and equal bytes differ from
 * address to address. It is not a cipher: the real one is AES-XTS with a key that never leaves the chip.
 */
import { mix32 } from '../random.ts';

/**
 * Encrypts or decrypts; the operation is its own inverse.
 * @param key Secret of the chip.
 * @param offset Address of `data` in flash.
 * @param data Plain or encrypted bytes.
 */
export function scramble(key: number, offset: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(data.length);
  let block = -1;
  let noise = 0;
  for (const [index, byte] of data.entries()) {
    const at = offset + index;
    if (at >> 2 !== block) {
      block = at >> 2;
      noise = mix32(mix32(block) ^ key);
    }
    result[index] = byte ^ ((noise >>> ((at & 3) * 8)) & 0xff);
  }
  return result;
}
