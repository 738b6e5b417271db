/**
 * Colours and attributes that SGR sequences set (ECMA-48, 8.3.117; ITU-T T.416, 13.1.8, for 256 colours and true
 * colours; xterm's "Control Sequences" for the bright colours).
 */

/** Default colour: null. Palette: 0 to 255. True colour: 0xRRGGBB + `TRUE_COLOUR`. */
type SgrColour = number | null;
const TRUE_COLOUR = 0x1_00_00_00;

export interface SgrState {
  ink: SgrColour;
  paper: SgrColour;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  strikethrough: boolean;
  inverse: boolean;
}

export const initialSgr = (): SgrState => ({
  ink: null,
  paper: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  strikethrough: false,
  inverse: false,
});

/** @param parameters Text between `ESC [` and `m`, separated by `;`, with subparameters separated by `:`. */
export function applySgr(state: SgrState, parameters: string): void {
  const codes = parameters.split(';');
  for (let at = 0; at < codes.length; at++) {
    const [code = 0, ...parts] = (codes[at] ?? '').split(':').map(Number);
    if (code === 38 || code === 48) {
      const field = code === 38 ? 'ink' : 'paper';
      if (parts.length > 0) {
        state[field] = colourOfParts(parts) ?? state[field];
      } else {
        // In the older form the colour is in the following parameters.
        const count = codes[at + 1] === '5' ? 2 : codes[at + 1] === '2' ? 4 : 1;
        state[field] = colourOfParts(codes.slice(at + 1, at + 1 + count).map(Number)) ?? state[field];
        at += count;
      }
    } else {
      applyCode(state, code, parts[0]);
    }
  }
}

function applyCode(state: SgrState, code: number, part: number | undefined): void {
  switch (code) {
    case 0:
      Object.assign(state, initialSgr());
      break;
    case 1:
      state.bold = true;
      break;
    case 2:
      state.dim = true;
      break;
    case 3:
      state.italic = true;
      break;
    case 4:
    case 21:
      state.underline = part !== 0;
      break;
    case 7:
      state.inverse = true;
      break;
    case 9:
      state.strikethrough = true;
      break;
    case 22:
      state.bold = false;
      state.dim = false;
      break;
    case 23:
      state.italic = false;
      break;
    case 24:
      state.underline = false;
      break;
    case 27:
      state.inverse = false;
      break;
    case 29:
      state.strikethrough = false;
      break;
    case 39:
      state.ink = null;
      break;
    case 49:
      state.paper = null;
      break;
    default:
      applyColour(state, code);
  }
}

function applyColour(state: SgrState, code: number): void {
  if (code >= 30 && code <= 37) {
    state.ink = code - 30;
  } else if (code >= 40 && code <= 47) {
    state.paper = code - 40;
  } else if (code >= 90 && code <= 97) {
    state.ink = code - 82;
  } else if (code >= 100 && code <= 107) {
    state.paper = code - 92;
  }
}

/** @param parts `5, n` or `2, r, g, b`; in the form with colons also `2, colour space, r, g, b`. */
function colourOfParts(parts: readonly number[]): number | null {
  const [kind, ...values] = parts;
  const isByte = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
  if (kind === 5) {
    return isByte(values[0]) ? values[0] : null;
  }
  const [red, green, blue] = values.slice(values.length >= 4 ? 1 : 0);
  return kind === 2 && isByte(red) && isByte(green) && isByte(blue)
    ? TRUE_COLOUR + red * 0x1_00_00 + green * 0x1_00 + blue
    : null;
}

/** Colours 0 to 15 as xterm has them by default (`XTerm-col.ad`). */
const named = [
  0x00_00_00, 0xcd_00_00, 0x00_cd_00, 0xcd_cd_00, 0x00_00_ee, 0xcd_00_cd, 0x00_cd_cd, 0xe5_e5_e5, 0x7f_7f_7f,
  0xff_00_00, 0x00_ff_00, 0xff_ff_00, 0x5c_5c_ff, 0xff_00_ff, 0x00_ff_ff, 0xff_ff_ff,
] as const;

/** Returns a colour as 0xRRGGBB. Colours 16 to 255 are a 6×6×6 cube, then 24 greys (`256colres.pl` of xterm). */
export function rgbOf(colour: number): number {
  if (colour >= TRUE_COLOUR) {
    return colour - TRUE_COLOUR;
  }
  if (colour < named.length) {
    return named[colour] ?? 0;
  }
  if (colour >= 232) {
    return (8 + (colour - 232) * 10) * 0x1_01_01;
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = colour - 16;
  return level(Math.floor(cube / 36)) * 0x1_00_00 + level(Math.floor(cube / 6) % 6) * 0x1_00 + level(cube % 6);
}
