/** Preview of a description before it is opened: cut at 80 characters. */
const PREVIEW_LENGTH = 80;

export interface DescriptionPreview {
  readonly text: string;
  /** True: the description has more characters or lines, or formatting. */
  readonly cut: boolean;
}

/** Returns the first 80 characters in one line. Counts grapheme clusters, so that no letter or emoji is split. */
export function descriptionPreview(description: string): DescriptionPreview {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return characters.length <= PREVIEW_LENGTH
    ? { text: line, cut: description.trim().includes('\n') }
    : { text: `${characters.slice(0, PREVIEW_LENGTH).join('').trimEnd()}…`, cut: true };
}

/** Returns the words of a Markdown text in order, without the marks of headings, lists, emphasis, code and links. */
export function withoutMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, '')
    .replaceAll(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)/g, '$1')
    .replaceAll(/(\*\*|__|`)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]+)\*(?![\w*])/g, '$1');
}
