/** Length of a description's preview, in characters. */
const previewLength = 80;

/**
 * Returns the first 80 characters of a description in one line. `cut` is true if there are more. Grapheme clusters
 * are not split.
 */
export function descriptionCut(description: string): { readonly text: string; readonly cut: boolean } {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length <= previewLength
    ? { text: line, cut: false }
    : { text: `${characters.slice(0, previewLength).join('').trimEnd()}…`, cut: true };
}
