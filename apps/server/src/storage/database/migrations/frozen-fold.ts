/**
 * How the steps beside this file fold a text for searching. A copy of what the product had when they were released: like the steps
 * themselves it is never changed.
 */

/** One text for all ways of writing it that differ in case or compatibility only (Unicode NFKC), Greek final sigma included. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .trim()
    .replaceAll(/\s+/g, ' ');
}
