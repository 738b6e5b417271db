/** Colours of a terminal (SGR sequences, ECMA-48), which are left out where they are not wanted. */

const codes = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;

export type Colour = keyof typeof codes;

/** Colours a text, or returns it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/**
 * Decides by NO_COLOR (no-color.org), then by FORCE_COLOR, then by the stream.
 *
 * @param environment Variables of the process.
 */
export function paintFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): Paint {
  const { NO_COLOR: none = '', FORCE_COLOR: forced = '', TERM: terminal } = environment;
  const isWanted = none === '' && (forced !== '' ? forced !== '0' : stream.isTTY === true && terminal !== 'dumb');
  return isWanted ? (colour, text) => `\x1b[${codes[colour]}m${text}\x1b[0m` : (_colour, text) => text;
}
