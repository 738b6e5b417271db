/**
 * Removes terminal control from a line of a log. Logs arrive raw, exported by Wirebench (controls escaped, `\x1b[K`),
 * shown by `cat -v` (`^[[K`), or copied from a web page that dropped the escape character (`[0;31m`).
 */

/** Control sequences `ESC [ … final` (ECMA-48, section 5.4) after any spelling of the escape character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SEQUENCE = /(?:\u001b|\u241b|\\x1b|\\u001b|\\e|\\033|\^\[)\[[0-9:;<=>?]{0,24}[ -/]{0,2}[@-~]/gi;
/** Titles and hyperlinks, `ESC ] … BEL` or `ESC ] … ESC \` (ECMA-48, section 8.3.89, in xterm's form). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const TITLE = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
/**
 * Colour sequence that lost its escape character. Other brackets with a single number, such as `[12m`, are ambiguous
 * and stay.
 */
const BARE_COLOUR = /\[(?:0|[0-9]{1,2}(?:;[0-9]{1,3}){1,4}|3[0-9]|9[0-7])m/g;
/** All other C0 and C1 controls except tab and carriage return, byte order marks and zero-width characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const CONTROL = /\\x(?:[01][0-9a-f]|7f)|[\u0000-\u0008\u000a-\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\ufeff]/g;
/** Carriage returns that an export escaped, at either end of the line. */
const OUTER_RETURN = /^(?:\\r)+|(?:\\r)+$/g;

/**
 * Returns the text that a terminal would show for a line, without colours and controls.
 *
 * A lone carriage return moves to the start of the line, so the last non-empty piece is returned.
 * @param line without its line feed
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
