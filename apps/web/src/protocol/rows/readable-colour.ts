/**
 * Makes colours that a board chose readable: contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3), with the formulas of its
 * relative luminance. Colours are numbers, `0xRRGGBB`.
 */

/** Least contrast, with some room for rows that have a background of their own. */
const LEAST_CONTRAST = 5;
const WHITE = 0xff_ff_ff;
const BLACK = 0;
/** Results that are kept. Boards use few colours. */
const MAX_KEPT = 4_096;

const kept = new Map<number, number>();

const channelsOf = (colour: number) => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255] as const;

function luminanceOf(colour: number): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours, 1 to 21. */
export function contrastOf(one: number, other: number): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** @param share Of `other`, 0 to 1. */
export function mixed(one: number, other: number, share: number): number {
  const others = channelsOf(other);
  return channelsOf(one)
    .map((channel, index) => Math.round(channel + ((others[index] ?? 0) - channel) * share))
    .reduce((colour, channel) => colour * 256 + channel, 0);
}

/** Returns white or black, whichever has more contrast on `paper`. */
export const clearestOn = (paper: number): number =>
  contrastOf(paper, WHITE) >= contrastOf(paper, BLACK) ? WHITE : BLACK;

/** Returns `ink`, or the nearest mix with white or black that is readable on `paper`. */
export function readableOn(paper: number, ink: number): number {
  const key = paper * 0x1_00_00_00 + ink;
  let colour = kept.get(key);
  if (colour === undefined) {
    colour = findReadable(paper, ink);
    if (kept.size >= MAX_KEPT) {
      kept.clear();
    }
    kept.set(key, colour);
  }
  return colour;
}

function findReadable(paper: number, ink: number): number {
  if (contrastOf(paper, ink) >= LEAST_CONTRAST) {
    return ink;
  }
  const goal = clearestOn(paper);
  let [low, high] = [0, 1];
  for (let step = 0; step < 8; step++) {
    const middle = (low + high) / 2;
    if (contrastOf(paper, mixed(ink, goal, middle)) >= LEAST_CONTRAST) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return mixed(ink, goal, high);
}
