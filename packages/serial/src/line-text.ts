/**
 * Bytes of a line → text for a screen or a log. UTF-8 is decoded across the line. Control functions of a terminal (colours apart) are
 * obeyed and not shown, see `visible-bytes.ts`. Any other control byte and any invalid byte is written out as `\x1b`, a character that
 * changes how its neighbours are read as `\u202e`. Colours (SGR sequences, ECMA-48) stay in the text of a screen for the painter.
 *
 * A lone `\r` brings a terminal back to its left margin, and what comes next is written over what is there. A screen shows
 * the last piece, as if it covered the ones before; a log keeps them all, with the `\r` written out between them.
 */
import { topmostBytes, visibleBytes } from './visible-bytes.ts';
import { decodeVisibly, unfinishedLength } from './visible-utf8.ts';

export interface LineTextOptions {
  /** The line goes on: an unfinished UTF-8 sequence at its end is left out until the rest has come. */
  readonly open?: boolean;
  /** Write out every control, colours, tabs and `\r` included; false unless told. */
  readonly showControls?: boolean;
  /** The bytes were sent. Controls act on the device, so all but tabs are written out; false if left out. */
  readonly sent?: boolean;
}

const CARRIAGE_RETURN = 0x0d;
const ESCAPE = String.fromCharCode(0x1b);

/** ESC [ parameters m; the parameters are separated by `;` or `:`. */
const colours = new RegExp(`(${ESCAPE}\\[[0-9;:]*m)`);
const allColours = new RegExp(colours.source, 'g');
/** What must not reach a screen as it is: controls, and marks of direction, of separation and of byte order. */
const hidden = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const plain = /^[\t\x20-\x7e]*$/;
const namedControls: Readonly<Record<string, string | undefined>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** @param bytes of a row in the text layout, without a line ending. */
export function lineText(
  bytes: Uint8Array,
  { open = false, showControls = false, sent = false }: LineTextOptions = {},
): string {
  const whole = open ? bytes.subarray(0, bytes.length - unfinishedLength(bytes)) : bytes;
  if (showControls) {
    return writeOut(decodeVisibly(whole), '');
  }
  if (sent) {
    return sentText(whole.subarray(0, returnsAtEnd(whole)));
  }
  const text = decodeVisibly(topmostBytes(whole));
  if (plain.test(text)) {
    return text;
  }
  // The colours are the odd pieces, because the pattern captures them.
  return text
    .split(colours)
    .map((piece, index) => (index % 2 === 1 ? piece : writeOut(piece, '\t')))
    .join('');
}

/** The received line as a log has it, on one line: what is seen, and what was written over by a `\r`. */
export function logText(bytes: Uint8Array): string {
  return sentText(visibleBytes(bytes));
}

/** The sent line as a log has it, on one line: every byte of it. */
export function sentText(bytes: Uint8Array): string {
  const text = decodeVisibly(bytes);
  return plain.test(text) ? text : writeOut(text, '\t');
}

/** The text without its colours (SGR sequences). */
export function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(allColours, '') : text;
}

/** Where the `\r` at the end of the bytes begin. */
function returnsAtEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === CARRIAGE_RETURN) {
    end--;
  }
  return end;
}

/** @param kept the one control that stays as it is. */
function writeOut(text: string, kept: string): string {
  return text.replaceAll(hidden, (character) => {
    if (character === kept) {
      return character;
    }
    const code = character.charCodeAt(0);
    const digits = code.toString(16);
    return (
      namedControls[character] ?? (code < 0x80 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits.padStart(4, '0')}`)
    );
  });
}
