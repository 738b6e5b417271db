/** The image that is flashed: 1.5 MB that compresses to 0.56 MB, as firmware of its size does. The same bytes in every run. */

const IMAGE_BYTES = 1_500_000;
/** Of each stretch of this many bytes, this many cannot be guessed from what is before them. */
const STRETCH = 64;
const RANDOM = 22;

/** @param seed another one gives other bytes of the same kind. */
export function makeImage(seed = 1, length = IMAGE_BYTES): Uint8Array {
  const image = new Uint8Array(length);
  let state = seed >>> 0;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    image[at] = at % STRETCH < RANDOM ? state >>> 24 : at % STRETCH;
  }
  return image;
}
