/** Characters for tests of text whose case is ignored. */
import fc from 'fast-check';

/** Returns all characters of a plane of Unicode, in order. */
export const planeOf = (plane: number): string =>
  Array.from({ length: 0x1_0000 }, (_, code) => String.fromCodePoint((plane << 16) | code).toWellFormed()).join('');

/** Every character of the planes that have letters with a case. */
export const everyCharacter: string = planeOf(0) + planeOf(1);

/** Returns an expression for a text with composed or divided accents, whose case is that of the flags. */
export function accentedForm(text: string, flags = 'iu'): RegExp {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) =>
    [segment, segment.normalize('NFC'), segment.normalize('NFD')].map((form) => form.replaceAll('.', '\\.')).join('|'),
  );
  return new RegExp(letters.map((forms) => `(?:${forms})`).join(''), flags);
}

/** Letters of scripts with a case, those whose case changes their length in UTF-8, accents, and text around them. */
export const letters: fc.Arbitrary<string> = fc.constantFrom(
  ...['a', 'A', 'k', 'K', '\u212a', 's', 'S', 'ſ', 'i', 'I', 'İ', 'ı', 'ß', 'ẞ', 'é', 'É', 'e', '\u0301', 'ÿ', 'Ÿ'],
  ...['σ', 'ς', 'Σ', 'ω', 'Ω', '\u2126', 'µ', 'μ', 'Μ', 'θ', 'ϴ', 'ᾳ', 'ᾼ', 'α', 'ι', 'и', 'И', 'й', 'Й', 'ѐ'],
  ...['ա', 'Ա', 'ა', 'Ა', 'ꭰ', 'Ꭰ', '𐐨', '𐐀', 'Ǆ', 'ǅ', 'ǆ', 'ⱥ', 'Ⱥ', '日', '😀', '.', ' '],
);
