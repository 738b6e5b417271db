/**
 * Parses hex bytes as people type or paste them: pairs of digits, `0x41, 0x42`, `\x41`, the lines of a data sheet, or
 * a C array with its comments.
 */

export interface HexInput {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True: digits without a prefix are odd in number, as in `ABC` or `0D 0A 3`, so a 0 was put before one group. */
  readonly isOdd: boolean;
  /** Digits of the longest group that got a leading 0. 0: none did. */
  readonly longestPadded: number;
}

const comments = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;
/** Declaration before the values of a C array, as `static const uint8_t wake[] =`. */
const declaration = /^\s*[A-Za-z_][\w\s*:[\]]*=\s*(?=\{)/;
/** Separators of a list. What stands between two of them is read for itself. */
const listSeparators = /[,;{}]+/;
const prefixed = /^0x([0-9a-f]+)$/i;
const plain = /^[0-9a-f]+$/i;
const escapes = /^(?:\\x[0-9a-f]{1,2})+$/i;

/**
 * Parses hex input. Spaces between digits mean nothing: `A B` is `AB`, and `ABC DEF` is `AB CD EF`. An odd number of
 * digits gets one leading 0, at the first group with an odd number: `ABC` is `0A BC`, and `0D 0A 3` is `0D 0A 03`. A
 * number with a prefix, and each item of a list with commas, is padded by itself.
 *
 * @returns Null if the text contains anything else. No bytes for a text without digits.
 */
export function parseHexInput(text: string): HexInput | null {
  const values = text.replaceAll(comments, ' ').replace(declaration, '');
  const pairs: string[] = [];
  let isOdd = false;
  let longestPadded = 0;
  let groups: string[] = [];
  const padded = (digits: string) => {
    longestPadded = Math.max(longestPadded, digits.length);
    return `0${digits}`;
  };
  const endGroups = () => {
    const odd = groups.findIndex(({ length }) => length % 2 !== 0);
    if (odd !== -1 && groups.join('').length % 2 !== 0) {
      isOdd = true;
      groups[odd] = padded(groups[odd] ?? '');
    }
    pairs.push(...pairsIn(groups.join('')));
    groups = [];
  };
  for (const item of values.split(listSeparators)) {
    for (const word of item.split(/\s+/)) {
      const digits = prefixed.exec(word)?.[1];
      if (plain.test(word)) {
        groups.push(word);
      } else if (digits !== undefined) {
        endGroups();
        pairs.push(...pairsIn(digits.length % 2 === 0 ? digits : padded(digits)));
      } else if (escapes.test(word)) {
        endGroups();
        pairs.push(...word.split(/\\x/i).slice(1));
      } else if (word !== '') {
        return null;
      }
    }
    endGroups();
  }
  return { bytes: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)), isOdd, longestPadded };
}

const pairsIn = (digits: string): readonly string[] => digits.match(/../g) ?? [];
