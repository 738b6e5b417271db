/** Texts that a file carries, made safe for a screen. */

/** Controls, marks that turn the direction of writing, separators of lines, and code points without a character. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]/gu;

/** Decodes UTF-8. Bytes and characters that are not text become U+FFFD, tabs a space. */
export function shownText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\t', ' ').replaceAll(unsafe, '\ufffd');
}

/** Works like `shownText`, and splits the text at its line ends. */
export function shownLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
    lines.push(shownText(withoutReturn(bytes.subarray(start, at))));
    start = at + 1;
  }
  return [...lines, shownText(bytes.subarray(start))];
}

const withoutReturn = (line: Uint8Array) => (line.at(-1) === 13 ? line.subarray(0, -1) : line);
