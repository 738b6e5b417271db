/**
 * Bytes of a line → text for a screen or a log. UTF-8 is decoded across the line. What is no text is written out, so that it
 * is seen: `\x1b` for a control byte or an invalid one, `\u202e` for a character that changes how its neighbours are read.
 * Colours (SGR sequences, ECMA-48) stay in the text of a screen for whoever draws them.
 *
 * A lone `\r` brings a terminal back to its left margin, and what comes next is written over what is there. A screen shows
 * the last piece, as if it covered the ones before; a log keeps them all, with the `\r` written out between them.
 */
import { decodeVisibly, unfinishedLength } from './visible-utf8.ts';

export interface LineTextOptions {
  /** The line goes on: an unfinished UTF-8 sequence at its end is left out until the rest has come. */
  readonly open?: boolean;
  /** Write out every control, colours, tabs and `\r` included; false unless told. */
  readonly showControls?: boolean;
}

const LINE_FEED = 0x0a;
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
export function lineText(bytes: Uint8Array, { open = false, showControls = false }: LineTextOptions = {}): string {
  const whole = open ? bytes.subarray(0, bytes.length - unfinishedLength(bytes)) : bytes;
  if (showControls) {
    return writeOut(decodeVisibly(whole), '');
  }
  const text = decodeVisibly(lastPiece(whole));
  if (plain.test(text)) {
    return text;
  }
  // The colours are the odd pieces, because the pattern captures them.
  return text
    .split(colours)
    .map((piece, index) => (index % 2 === 1 ? piece : writeOut(piece, '\t')))
    .join('');
}

/** The line as a log has it: nothing left out but colours, everything on one line. */
export function logText(bytes: Uint8Array): string {
  const text = decodeVisibly(bytes);
  return plain.test(text) ? text : writeOut(withoutColours(text), '\t');
}

/** The text without its colours (SGR sequences). */
export function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(allColours, '') : text;
}

/** The bytes after the last lone `\r` that something follows. */
function lastPiece(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === CARRIAGE_RETURN) {
    end--;
  }
  let start = bytes.lastIndexOf(CARRIAGE_RETURN, end - 1);
  while (start > 0 && bytes[start + 1] === LINE_FEED) {
    start = bytes.lastIndexOf(CARRIAGE_RETURN, start - 1);
  }
  return end === 0 || bytes[start + 1] === LINE_FEED ? bytes.subarray(0, end) : bytes.subarray(start + 1, end);
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
