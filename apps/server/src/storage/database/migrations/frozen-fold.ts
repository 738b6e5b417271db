/**
 * Folds text for searching, for the steps beside this file. It is a copy of the product's code at their release and,
 * like the steps, is never changed.
 */

/**
 * Returns one form for all spellings that differ only in case or compatibility (Unicode NFKC), including the Greek
 * final sigma.
 */
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
