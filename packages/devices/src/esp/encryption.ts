/**
 * Stands for flash encryption: plain text looks like noise in flash and the other way round, the same bytes differ from place to
 * place, and nobody outside of the chip can read it. Not a cipher: the real one is AES-XTS, whose key leaves no chip either.
 */
import { mix32 } from '../random.ts';

/** Encrypts and decrypts: doing it twice gives what was there. `offset` is the place in flash. */
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
