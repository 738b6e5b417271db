/**
 * Removes terminal control from a line of a log. Logs reach this package raw, as exported by Wirebench (controls written out, `\x1b[K`), as shown by
 * `cat -v` (`^[[K`), and as copied from a web page that dropped the escape character (`[0;31m`).
 */

/** Control sequences `ESC [ … final` (ECMA-48, section 5.4) behind any spelling of the escape character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SEQUENCE = /(?:\u001b|\u241b|\\x1b|\\u001b|\\e|\\033|\^\[)\[[0-9:;<=>?]{0,24}[ -/]{0,2}[@-~]/gi;
/** Titles and hyperlinks, `ESC ] … BEL` or `ESC ] … ESC \` (ECMA-48, section 8.3.89, as xterm uses it). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const TITLE = /\u001b\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)/g;
/** A colour that lost its escape character. Brackets with a single number, such as `[12m`, are too short to be sure. */
const BARE_COLOUR = /\[(?:0|[0-9]{1,2}(?:;[0-9]{1,3}){1,4}|3[0-9]|9[0-7])m/g;
/** All other C0 and C1 controls except tab and carriage return, byte order marks and zero-width characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const CONTROL = /\\x(?:[01][0-9a-f]|7f)|[\u0000-\u0008\u000a-\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\ufeff]/g;
/** A carriage return, or one that an export wrote out at either end of the line. */
const OUTER_RETURN = /^(?:\\r)+|(?:\\r)+$/g;

/**
 * Returns the text that a terminal would show for a line, without colours and controls.
 *
 * A lone carriage return goes back to the start of the line: the last piece that is not empty counts.
 * @param line without its line feed.
 */
export function visibleText(line: string): string {
  const plain = line
    .replace(TITLE, '')
    .replace(SEQUENCE, '')
    .replace(BARE_COLOUR, '')
    .replace(CONTROL, '')
    .replace(OUTER_RETURN, '');
  if (!plain.includes('\r')) {
    return plain.trimEnd();
  }
  return (
    plain
      .split('\r')
      .findLast((piece) => piece.trim() !== '')
      ?.trimEnd() ?? ''
  );
}
