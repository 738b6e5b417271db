/** Characters of a description that are shown before it is expanded. */
const previewLength = 80;

/** The first 80 characters of a description in one line, and whether there is more. No letter is cut in halves. */
export function descriptionCut(description: string): { readonly text: string; readonly cut: boolean } {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length <= previewLength
    ? { text: line, cut: false }
    : { text: `${characters.slice(0, previewLength).join('').trimEnd()}…`, cut: true };
}
