/**
 * Parses text with ANSI colours into plain text and styled runs. The eight named inks are the design's, which are
 * readable in both themes. Other inks are changed as far as they need to be readable. Backgrounds stay as they are.
 */
import { applySgr, initialSgr, rgbOf, type SgrState } from './sgr-state.ts';

/** Styled range of text, in UTF-16 units. `end` is exclusive. */
export interface StyleRun {
  readonly start: number;
  readonly end: number;
  /** Colour index in the lowest three bits, attribute bits above: see `colours` and `attributes`. */
  readonly style: number;
  /** Colours of the text in the dark and in the light theme, 0xRRGGBB. Omitted: the one of `style`. */
  readonly ink?: ThemeInk;
  /** Background, 0xRRGGBB. Omitted: none. */
  readonly paper?: number;
}

export interface ThemeInk {
  readonly dark: number;
  readonly light: number;
}

/** Colours by index. `text` is the default colour. */
export const colours = ['text', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'grey'] as const;

/** Attribute bits of a style. */
export const attributes = {
  bold: 8,
  dim: 16,
  italic: 32,
  underline: 64,
  strikethrough: 128,
  inverse: 256,
  /** Match of the search. */
  found: 512,
  /** Address of a web page. */
  link: 1024,
  /** Match of a rule. */
  ruled: 2048,
} as const;

export const plain = 0;
export const subtle = colours.indexOf('grey');

/** Background of the log in each theme: `--color-well` in `tokens.css`. */
export const wells: ThemeInk = { dark: 0x09_0a_0b, light: 0xff_ff_ff };
/** Ink and paper of inverse text without a colour of its own. */
const [defaultInk, defaultPaper] = [0xd8_d8_d8, 0x10_10_10];
const FIRST_BRIGHT = 8;
const NAMED = 16;
/** Share of the background in faint text. */
const FAINT = 0.4;

const sequence = new RegExp(`${String.fromCharCode(0x1b)}\\[([0-9;:]*)m`, 'g');
const controlSequence = '\x1b[';

/** @param source Text whose only control sequences are colours (SGR). */
export function styledText(source: string): { text: string; runs: readonly StyleRun[] } {
  if (!source.includes(controlSequence)) {
    return { text: source, runs: [] };
  }
  let text = '';
  let at = 0;
  const runs: StyleRun[] = [];
  const state = initialSgr();
  let look: Look = { style: plain };
  const add = (end: number) => {
    if (end > at) {
      const start = text.length;
      text += source.slice(at, end);
      if (look.style !== plain || look.ink !== undefined || look.paper !== undefined) {
        runs.push({ start, end: text.length, ...look });
      }
    }
  };
  for (const match of source.matchAll(sequence)) {
    add(match.index);
    at = match.index + match[0].length;
    applySgr(state, match[1] ?? '');
    look = lookOf(state);
  }
  add(source.length);
  return { text, runs };
}

type Look = Pick<StyleRun, 'style' | 'ink' | 'paper'>;

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
function mixed(one: number, other: number, share: number): number {
  const others = channelsOf(other);
  return channelsOf(one)
    .map((channel, index) => Math.round(channel + ((others[index] ?? 0) - channel) * share))
    .reduce((colour, channel) => colour * 256 + channel, 0);
}

/** Returns white or black, whichever has more contrast on `paper`. */
const clearestOn = (paper: number): number => (contrastOf(paper, WHITE) >= contrastOf(paper, BLACK) ? WHITE : BLACK);

/** Returns `ink`, or the nearest mix with white or black that is readable on `paper`. */
function readableOn(paper: number, ink: number): number {
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

function lookOf(state: SgrState): Look {
  const { ink, paper, inverse } = state;
  let style = plain;
  for (const name of ['dim', 'italic', 'underline', 'strikethrough'] as const) {
    style |= state[name] ? attributes[name] : 0;
  }
  if (state.bold || (ink !== null && ink >= FIRST_BRIGHT && ink < NAMED)) {
    style |= attributes.bold;
  }
  if (paper === null && (ink === null || ink < NAMED)) {
    return { style: style | namedColour(ink) | (inverse ? attributes.inverse : 0) };
  }
  const [front, back] = inverse
    ? [paper === null ? defaultPaper : rgbOf(paper), ink === null ? defaultInk : rgbOf(ink)]
    : [ink === null ? null : rgbOf(ink), paper === null ? null : rgbOf(paper)];
  const shown = (ground: number) => {
    const colour = front ?? clearestOn(ground);
    return readableOn(ground, state.dim ? mixed(colour, ground, FAINT) : colour);
  };
  if (back !== null) {
    const colour = shown(back);
    return { style, ink: { dark: colour, light: colour }, paper: back };
  }
  return { style, ink: { dark: shown(wells.dark), light: shown(wells.light) } };
}

/** Black and white are text in one theme and background in the other, so both become `text`. Bright black is grey. */
function namedColour(ink: number | null): number {
  const index = ink === null ? 0 : ink % FIRST_BRIGHT;
  return ink === FIRST_BRIGHT ? subtle : index === 7 ? plain : index;
}
