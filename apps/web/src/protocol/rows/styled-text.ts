/**
 * Parses text with ANSI colours into plain text and styled runs. Only the design's eight colours are used, which are
 * readable in both themes. Backgrounds are ignored except for inverse text, and other palettes are mapped to the
 * nearest hue.
 */
import Anser from 'anser';

/** Styled range of text, in UTF-16 units. `end` is exclusive. */
export interface StyleRun {
  readonly start: number;
  readonly end: number;
  /** Colour index in the lowest three bits, attribute bits above: see `colours` and `attributes`. */
  readonly style: number;
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
} as const;

export const plain = 0;
export const subtle = colours.indexOf('grey');

const controlSequence = '\x1b[';

export function styledText(source: string): { text: string; runs: readonly StyleRun[] } {
  if (!source.includes(controlSequence)) {
    return { text: source, runs: [] };
  }
  let text = '';
  const runs: StyleRun[] = [];
  for (const entry of Anser.ansiToJson(source, { json: true, use_classes: true, remove_empty: true })) {
    const start = text.length;
    text += entry.content;
    const style = styleOf(entry);
    if (style !== plain) {
      runs.push({ start, end: text.length, style });
    }
  }
  return { text, runs };
}

type Entry = ReturnType<typeof Anser.ansiToJson>[number];

function styleOf(entry: Entry): number {
  const { decorations } = entry;
  // Anser swaps foreground and background of inverse text, so the original foreground is in `bg`.
  const inverse = 'isInverted' in entry && entry.isInverted === true;
  const ink = inverse ? entry.bg : entry.fg;
  const trueInk = inverse ? entry.bg_truecolor : entry.fg_truecolor;
  let style = colourOf(ink, trueInk);
  if (inverse) {
    style |= attributes.inverse;
  }
  if (ink?.startsWith('ansi-bright-') || decorations.includes('bold')) {
    style |= attributes.bold;
  }
  for (const name of ['dim', 'italic', 'underline', 'strikethrough'] as const) {
    if (decorations.includes(name)) {
      style |= attributes[name];
    }
  }
  return style;
}

function colourOf(name: string | null, trueColour: string | null): number {
  if (!name) {
    return plain;
  }
  if (name === 'ansi-truecolor') {
    return nearestHue(...channels(trueColour));
  }
  const palette = /^ansi-palette-(\d+)$/.exec(name);
  if (palette) {
    return nearestHue(...paletteColour(Number(palette[1])));
  }
  // Black and white are text in one theme and background in the other, so both become `text`. Only "bright black" is
  // grey.
  const word = name === 'ansi-bright-black' ? 'grey' : name;
  const index = colours.findIndex((colour) => word.endsWith(colour));
  return index < 0 ? plain : index;
}

function channels(text: string | null): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = (text ?? '').split(',').map(Number);
  return [red, green, blue];
}

/** Returns colour 16 to 255 of the xterm palette: a 6×6×6 cube, then 24 greys (ctlseqs.txt of xterm, "256-color"). */
function paletteColour(index: number): [number, number, number] {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

/** Centre of each hue on the colour circle, in degrees. */
const hues = [
  { colour: 'red', degrees: 0 },
  { colour: 'yellow', degrees: 50 },
  { colour: 'green', degrees: 120 },
  { colour: 'cyan', degrees: 180 },
  { colour: 'blue', degrees: 225 },
  { colour: 'magenta', degrees: 305 },
  { colour: 'red', degrees: 360 },
] as const;

function nearestHue(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const spread = most - least;
  if (spread < 32) {
    return most > 64 && most < 192 ? colours.indexOf('grey') : plain;
  }
  const sector =
    most === red ? (green - blue) / spread : most === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread;
  const degrees = (sector * 60 + 360) % 360;
  const nearest = hues.reduce((a, b) => (Math.abs(b.degrees - degrees) < Math.abs(a.degrees - degrees) ? b : a));
  return colours.indexOf(nearest.colour);
}
