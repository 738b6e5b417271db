/** UF2 for the tests of the boards (UF2 specification: 512 bytes a block, 256 of them data). */
import { rp2040Family } from '../rom/uf2-reception.ts';

interface Uf2Options {
  readonly family?: number;
  /** Default: the start of flash. */
  readonly address?: number;
}

export function uf2Of(image: Uint8Array, options: Uf2Options = {}): Uint8Array<ArrayBuffer> {
  const { family = rp2040Family, address = 0x1000_0000 } = options;
  const total = Math.ceil(image.length / 256);
  const file = new Uint8Array(total * 512);
  for (let number = 0; number < total; number++) {
    const view = new DataView(file.buffer, number * 512, 512);
    const words = [0x0a32_4655, 0x9e5d_5157, 0x2000, address + number * 256, 256, number, total, family];
    for (const [index, word] of words.entries()) {
      view.setUint32(index * 4, word, true);
    }
    file.set(image.subarray(number * 256, (number + 1) * 256), number * 512 + 32);
    view.setUint32(508, 0x0ab1_6f30, true);
  }
  return file;
}
