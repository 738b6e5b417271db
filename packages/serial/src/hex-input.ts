/**
 * Parses hex bytes as people type or paste them: pairs of digits, `0x41, 0x42`, `\x41`, the lines of a data sheet, or
 * a C array with its comments. A group of digits between spaces, commas or braces is one number of whole bytes.
 */

export interface HexInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of digits in groups without a prefix. It is odd if a digit of `ABC` or `0D 0A 3` is missing. */
  readonly plainDigits: number;
  /** Digits of the longest group that got a leading 0. 0: none did. */
  readonly longestPadded: number;
}

const comments = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;
/** Declaration before the values of a C array, as `static const uint8_t wake[] =`. */
const declaration = /^\s*[A-Za-z_][\w\s*:[\]]*=\s*(?=\{)/;
const separators = /[\s,;{}]+/;
const group = /^(?:0x)?([0-9a-f]+)$/i;
const escapes = /^(?:\\x[0-9a-f]{1,2})+$/i;

/**
 * Parses hex input. Each group with an odd number of digits gets a leading 0: `0D 0A 3` is `0D 0A 03`, and `123 4` is
 * `01 23 04`.
 *
 * @returns Null if the text contains anything else. No bytes for a text without digits.
 */
export function parseHexInput(text: string): HexInput | null {
  const values = text.replaceAll(comments, ' ').replace(declaration, '');
  const pairs: string[] = [];
  let plainDigits = 0;
  let longestPadded = 0;
  for (const word of values.split(separators)) {
    if (word === '') {
      continue;
    }
    if (escapes.test(word)) {
      pairs.push(...word.split(/\\x/i).slice(1));
      continue;
    }
    const digits = group.exec(word)?.[1];
    if (digits === undefined) {
      return null;
    }
    plainDigits += digits === word ? digits.length : 0;
    longestPadded = digits.length % 2 === 0 ? longestPadded : Math.max(longestPadded, digits.length);
    pairs.push(...(`${digits.length % 2 === 0 ? '' : '0'}${digits}`.match(/../g) ?? []));
  }
  return { bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)), plainDigits, longestPadded };
}
