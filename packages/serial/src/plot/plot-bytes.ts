/** Roles of a byte in a line with numbers, as bits. */

/** Begins a name. */
export const LETTER = 1;
export const DIGIT = 2;
/** Part of a name. Letters and digits have this bit too. */
export const NAME = 4;
/** Allowed before a name or behind a value. */
export const EDGE = 8;
/** Part of a unit. Letters have this bit too. */
export const UNIT = 16;
/** Separates columns; any number of them counts as one. */
const BLANK = 32;
/** Separates columns and pairs; each one counts: comma, semicolon and tab. */
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
// Bytes beyond ASCII are part of names and units: `Größe`, `°C`, `µs`, `Ω`.
kinds.fill(LETTER | NAME | UNIT, 128);

export function kindAt(bytes: Uint8Array, at: number): number {
  return kinds[bytes[at] ?? 0] as number;
}

/** Returns true if the value or name that ends at `at` is complete. */
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

/** Returns true if the bytes from `start` up to `end` are the given ones. */
export function isEqual(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) {
    return false;
  }
  for (let index = 0; index < known.length; index++) {
    if (known[index] !== bytes[start + index]) {
      return false;
    }
  }
  return true;
}
