/** Which part a byte can play in a line with numbers. */

/** Begins a name. */
export const LETTER = 1;
export const DIGIT = 2;
/** Part of a name; letters and digits are so, too. */
export const NAME = 4;
/** In front of a name or behind a value. */
export const EDGE = 8;
/** Part of a unit; letters are so, too. */
export const UNIT = 16;
/** Separates columns, any number of them counting as one. */
const BLANK = 32;
/** Separates columns and pairs, each for itself: comma, semicolon and tab. */
export const SEPARATOR = 64;

const kinds = new Uint8Array(256);
const mark = (characters: string, kind: number) => {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    kinds[code] = (kinds[code] ?? 0) | kind;
  }
};
mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', LETTER | NAME | UNIT);
mark('0123456789', DIGIT | NAME);
mark('.-/#%', NAME);
mark('%/', UNIT);
mark(' \t,;|"(){}[]<>\r', EDGE);
mark(' ()[]{}|\r', BLANK);
mark(',;\t', SEPARATOR);
// What is beyond ASCII is part of names and units: `Größe`, `°C`, `µs`, `Ω`.
kinds.fill(LETTER | NAME | UNIT, 128);

export function kindAt(bytes: Uint8Array, at: number): number {
  return kinds[bytes[at] ?? 0] as number;
}

/** Whether the value or name that ends at `at` is whole. */
export function endsAt(bytes: Uint8Array, at: number, to: number): boolean {
  return at >= to || (kindAt(bytes, at) & EDGE) !== 0;
}

export function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && kindAt(bytes, at) & BLANK) {
    at++;
  }
  return at;
}
