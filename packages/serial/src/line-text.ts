/**
 * Converts the bytes of a line to text for a screen or a log. UTF-8 is decoded across the line. Control functions of
 * a terminal (colours apart) are executed and not shown, see `visible-bytes.ts`. Any other control byte and any
 * invalid byte is written as `\x1b`, and a character that changes how its neighbours are read as `\u202e`. Colours
 * (SGR sequences, ECMA-48) stay in the text of a screen for the painter.
 */
import { CARRIAGE_RETURN } from './control-sequences.ts';
import { colouredBytes, visibleBytes } from './visible-bytes.ts';
import { decodeVisibly, unfinishedLength } from './visible-utf8.ts';

export interface LineTextOptions {
  /** True: the line continues, so an unfinished UTF-8 sequence at its end is left out until the rest has come. */
  readonly open?: boolean;
  /** True: write out every control byte, colours, tabs and `\r` included. Default: false. */
  readonly showControls?: boolean;
  /** True: the bytes were sent. Controls act on the device, so all but tabs are written out. Default: false. */
  readonly sent?: boolean;
}

const ESCAPE = String.fromCharCode(0x1b);

/** A colour: ESC [ parameters m. The parameters are separated by `;` or `:`. */
const colours = new RegExp(`(${ESCAPE}\\[[0-9;:]*m)`);
const allColours = new RegExp(colours.source, 'g');
/** Characters that must not reach a screen: controls, and marks of direction, of separation and of byte order. */
const hidden = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const plain = /^[\t\x20-\x7e]*$/;
const namedControls: Readonly<Record<string, string | undefined>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Converts a line to the text of a row.
 *
 * @param bytes Bytes of a row in the text layout, without a line ending.
 */
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
  const text = decodeVisibly(colouredBytes(whole));
  if (plain.test(text)) {
    return text;
  }
  // Colours are at the odd indexes, because the pattern captures them.
  return text
    .split(colours)
    .map((piece, index) => (index % 2 === 1 ? piece : writeOut(piece, '\t')))
    .join('');
}

/** Converts a received line for a log, on one line: its visible text without colours. */
export function logText(bytes: Uint8Array): string {
  return sentText(visibleBytes(bytes));
}

/** Converts a sent line for a log, on one line: every byte of it. */
export function sentText(bytes: Uint8Array): string {
  const text = decodeVisibly(bytes);
  return plain.test(text) ? text : writeOut(text, '\t');
}

/** Removes the colours (SGR sequences) of a text. */
export function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(allColours, '') : text;
}

/** Returns the offset of the `\r` at the end of the bytes. */
function returnsAtEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === CARRIAGE_RETURN) {
    end--;
  }
  return end;
}

/** @param kept The one control character that stays as it is. */
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
