/**
 * The flashed image: 1.5 MB that compresses to 0.56 MB, like firmware of this size. Its bytes are the same in every
 * run.
 */
import { orShortest } from '../shortest.ts';

const IMAGE_BYTES = orShortest(1_500_000, 16_384);
/** Size of the image, for tables. */
export const imageText = orShortest('1.5 MB', '16 KiB');
/** Bytes of a repeating stretch, and the number of random bytes at its start. */
const STRETCH = 64;
const RANDOM = 22;

/**
 * Makes an image.
 *
 * @param seed Selects other random bytes.
 */
export function makeImage(seed = 1, length = IMAGE_BYTES): Uint8Array {
  const image = new Uint8Array(length);
  let state = seed >>> 0;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    image[at] = at % STRETCH < RANDOM ? state >>> 24 : at % STRETCH;
  }
  return image;
}
