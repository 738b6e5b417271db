/**
 * Applications for the simulated boards: a vector table, filler, and the text that they print at their start. They
 * contain no real code. The text follows `wirebench-boot-text:` and ends with a zero.
 */
import { joined, words32 } from '../../byte-fields.ts';
import { filler } from '../../filler.ts';

const mark = new TextEncoder().encode('wirebench-boot-text:');

export interface ApplicationOptions {
  /** Printed at the start. Must not contain a zero character. */
  readonly text: string;
  /** Total size in bytes, a multiple of 4. Default 20 KiB. */
  readonly size?: number;
  /** Address in flash, at which its reset handler points. Default 0x1000. */
  readonly address?: number;
  /** Seed of the filler. Default 1. */
  readonly seed?: number;
}

/**
 * Returns the image of an application.
 * @throws Error if the text does not fit or the size is not a multiple of 4.
 */
export function applicationImage({
  text,
  size = 20_480,
  address = 0x1000,
  seed = 1,
}: ApplicationOptions): Uint8Array<ArrayBuffer> {
  const vectors = words32(0x20040000, (address + 0x200) | 1, ...new Array<number>(62).fill((address + 0x240) | 1));
  const said = joined(mark, new TextEncoder().encode(text), Uint8Array.of(0));
  if (vectors.length + said.length > size || size % 4 !== 0) {
    throw new Error(`An application of ${size} bytes does not hold this text.`);
  }
  const image = filler(size, seed);
  image.set(vectors);
  image.set(said, vectors.length);
  return image;
}

/** Returns the text of the application in `image`; null without one. */
export function bootTextOf(image: Uint8Array): string | null {
  for (let at = image.indexOf(mark[0] ?? 0); at !== -1; at = image.indexOf(mark[0] ?? 0, at + 1)) {
    if (mark.every((byte, index) => image[at + index] === byte)) {
      const begin = at + mark.length;
      const end = image.indexOf(0, begin);
      return new TextDecoder().decode(image.subarray(begin, end === -1 ? image.length : end));
    }
  }
  return null;
}

/** Returns the text that a new board prints. */
export function factoryText(board: string): string {
  return `*** ${board} with its factory firmware ***\r\n`;
}
