/**
 * Applications that a simulated board runs: a vector table, filler, and the text that it says at its start. None of it is code. What
 * is after `wirebench-boot-text:` in an application is what it says, up to a zero.
 */
import { joined, words32 } from '../../byte-fields.ts';
import { filler } from '../../filler.ts';

const mark = new TextEncoder().encode('wirebench-boot-text:');

export interface ApplicationOptions {
  /** What it says at its start, without a zero in it. */
  readonly text: string;
  /** Bytes in all, a multiple of 4. Default 20 KiB. */
  readonly size?: number;
  /** Where it is in flash: its reset handler points there. Default 0x1000. */
  readonly address?: number;
  /** Another number, other filler. Default 1. */
  readonly seed?: number;
}

/** @throws Error when the text does not fit. */
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

/** What the application in `image` says; null when it says nothing. */
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

/** What a new board says. */
export function factoryText(board: string): string {
  return `*** ${board} with its factory firmware ***\r\n`;
}
