/**
 * The bytes of a line that a terminal would show as text. Control functions are removed, and so is text that BS or an
 * editing sequence has overwritten or erased. Rows, copies, text exports, find, filters, levels and plots all read
 * lines through here, so that they agree. Other control bytes and invalid UTF-8 stay, to be written out as `\x00`.
 *
 * A `\r` divides a line into pieces, because a terminal writes the next piece over the previous one. The caller
 * chooses which pieces count. A `\r` beside a `\n` is part of a line ending inside of a packet and divides nothing.
 */
import { ByteList } from './byte-list.ts';
import {
  BACKSPACE,
  BELL,
  controlEnd,
  ESCAPE,
  isColour,
  isColourParameter,
  type LineEdit,
  lineEdit,
  OPEN_BRACKET,
} from './control-sequences.ts';
import { EditedRow } from './edited-row.ts';
import { sequenceLength } from './visible-utf8.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LETTER_M = 0x6d;
/** Longest piece that is edited, in bytes. In a longer one the sequences are only removed. */
const LONGEST_EDITED = 1 << 16;

/** Bytes that a terminal obeys in a line of text: ESC, BS, BEL and CR. Without them all of a line is visible. */
export const obeyedBytes: readonly number[] = [ESCAPE, BACKSPACE, BELL, CARRIAGE_RETURN];
const obeyed = new Uint8Array(256);
for (const byte of obeyedBytes) {
  obeyed[byte] = 1;
}

/** Returns true if some bytes may be invisible. */
function hasControls(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (obeyed[bytes[at] as number] === 1) {
      return true;
    }
  }
  return false;
}

/**
 * Returns the visible bytes of all pieces, with the `\r` between them but without those at both ends of the line.
 * Returns `line` itself if everything in it is visible.
 */
export function visibleBytes(line: Uint8Array): Uint8Array {
  if (!hasControls(line, 0, line.length)) {
    return line;
  }
  const stripped = new Uint8Array(line.length);
  const length = stripControls(line, 0, line.length, stripped);
  return length === -1 ? editedBytes(line) : withoutOuterReturns(stripped.subarray(0, length));
}

/**
 * Copies a line without its control functions to `out`, which has room for it. This is enough for nearly every line.
 *
 * @returns Number of bytes copied; -1 if the line has a control string, or text that was overwritten or erased. Use
 *   `visibleBytes` for such a line.
 */
export function stripControls(line: Uint8Array, from: number, to: number, out: Uint8Array): number {
  let length = 0;
  for (let at = from; at < to; ) {
    const byte = line[at] as number;
    if (byte === ESCAPE) {
      if (line[at + 1] !== OPEN_BRACKET || at + 1 >= to) {
        return -1;
      }
      const end = controlEnd(line, at, to);
      const effect = textEffect(line, at, end);
      if (effect === 'changes' || (effect === 'changes-written' && !isPieceStart(out[length - 1], out[length - 2]))) {
        return -1;
      }
      at = end;
      continue;
    }
    if (byte === BACKSPACE) {
      return -1;
    }
    if (byte !== BELL) {
      out[length++] = byte;
    }
    at++;
  }
  return length;
}

/**
 * Effect of a control sequence on text: none, a change, or a change only if the cursor is behind text of the same
 * piece.
 */
export type TextEffect = 'none' | 'changes' | 'changes-written';

/** @param at Offset of its ESC. @param end Offset behind it. */
export function textEffect(line: Uint8Array, at: number, end: number): TextEffect {
  const edit = lineEdit(line, at, end);
  if (edit === null || erasesToEnd(edit)) {
    return 'none';
  }
  return movesRight(edit) ? 'changes' : 'changes-written';
}

/**
 * Returns true if no byte was written since the last `\r`.
 *
 * @param last Previous visible byte; undefined at the start of the line.
 * @param second The byte before `last`; undefined at the start of the line.
 */
export const isPieceStart = (last: number | undefined, second: number | undefined): boolean =>
  last === undefined || (last === CARRIAGE_RETURN && second !== LINE_FEED);

function withoutOuterReturns(bytes: Uint8Array): Uint8Array {
  let from = 0;
  let to = bytes.length;
  while (from < to && bytes[from] === CARRIAGE_RETURN && divides(bytes, from)) {
    from++;
  }
  while (to > from && bytes[to - 1] === CARRIAGE_RETURN && divides(bytes, to - 1)) {
    to--;
  }
  return bytes.subarray(from, to);
}

/** Returns the same as `visibleBytes`, for any line. */
function editedBytes(line: Uint8Array): Uint8Array {
  const out = new ByteList(line.length);
  let trimmed = 0;
  for (let from = 0; from <= line.length; ) {
    const to = pieceEnd(line, from);
    const before = out.length;
    visiblePiece(line, from, to, false, out);
    trimmed = out.length > before ? out.length : trimmed;
    if (out.length > 0) {
      out.push(CARRIAGE_RETURN);
    }
    from = to + 1;
  }
  return out.take(trimmed);
}

/** Returns the visible bytes of the last piece that shows any text, with its colours (SGR). */
export function topmostBytes(line: Uint8Array): Uint8Array {
  if (!hasControls(line, 0, line.length)) {
    return line;
  }
  for (let to = line.length; ; ) {
    const from = pieceStart(line, to);
    const out = new ByteList(to - from);
    if (visiblePiece(line, from, to, true, out) || from === 0) {
      return out.take(out.length);
    }
    to = from - 1;
  }
}

/** Returns the offset of the next `\r` that divides the line, or its length. */
function pieceEnd(line: Uint8Array, from: number): number {
  let at = line.indexOf(CARRIAGE_RETURN, from);
  while (at !== -1 && !divides(line, at)) {
    at = line.indexOf(CARRIAGE_RETURN, at + 1);
  }
  return at === -1 ? line.length : at;
}

/** Returns the offset after the last `\r` before `to` that divides the line, or 0. */
function pieceStart(line: Uint8Array, to: number): number {
  let at = to === 0 ? -1 : line.lastIndexOf(CARRIAGE_RETURN, to - 1);
  while (at > 0 && !divides(line, at)) {
    at = line.lastIndexOf(CARRIAGE_RETURN, at - 1);
  }
  return at === -1 || !divides(line, at) ? 0 : at + 1;
}

/** Returns false beside a `\n`, where the `\r` is half of a line ending. */
const divides = (line: Uint8Array, at: number) => line[at + 1] !== LINE_FEED && line[at - 1] !== LINE_FEED;

/** Returns the start of the colour (SGR) at the end of a text; `to` without one. */
export function colourStart(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[to - 1] !== LETTER_M) {
    return to;
  }
  let at = to - 1;
  while (at > from && isColourParameter(bytes[at - 1] as number)) {
    at--;
  }
  return at - 2 >= from && bytes[at - 1] === OPEN_BRACKET && bytes[at - 2] === ESCAPE ? at - 2 : to;
}

/** Appends the visible bytes of a piece to `out`. Returns true if they are more than colours. */
function visiblePiece(line: Uint8Array, from: number, to: number, colours: boolean, out: ByteList): boolean {
  const begin = out.length;
  const mayEdit = to - from <= LONGEST_EDITED;
  let shows = false;
  for (let at = from; at < to; ) {
    const byte = line[at] as number;
    if (byte === BACKSPACE && mayEdit) {
      return editedPiece(line, from, to, colours, out, begin);
    }
    if (byte === ESCAPE) {
      const end = controlEnd(line, at, to);
      if (end > at) {
        const edit = lineEdit(line, at, end);
        if (edit !== null && !erasesToEnd(edit) && (shows || movesRight(edit)) && mayEdit) {
          return editedPiece(line, from, to, colours, out, begin);
        }
        if (colours && isColour(line, at, end)) {
          out.pushAll(line, at, end);
        }
        at = end;
        continue;
      }
    }
    if (byte !== BELL && byte !== BACKSPACE) {
      out.push(byte);
      shows = true;
    }
    at++;
  }
  return shows;
}

/**
 * Returns true if the edit erases from the cursor on. While a piece is written from left to right, no text is there.
 */
const erasesToEnd = ({ final, parameter }: LineEdit) =>
  (final === 'K' || final === 'J') && (parameter === null || parameter === 0);

/** Returns true if the edit changes an empty row. The other edits erase nothing there, or move to its first column. */
const movesRight = ({ final, parameter }: LineEdit) =>
  final === 'C' || final === 'a' || ((final === 'G' || final === '`') && parameter !== null && parameter > 1);

/** Does the same as `visiblePiece`, with a cursor that moves. Each character takes one cell. */
function editedPiece(
  line: Uint8Array,
  from: number,
  to: number,
  colours: boolean,
  out: ByteList,
  begin: number,
): boolean {
  out.cut(begin);
  const row = new EditedRow();
  for (let at = from; at < to; ) {
    const byte = line[at] as number;
    const end = byte === ESCAPE ? controlEnd(line, at, to) : at;
    if (end > at) {
      const edit = lineEdit(line, at, end);
      if (edit !== null) {
        row.edit(edit);
      } else if (colours && isColour(line, at, end)) {
        row.colour(line.subarray(at, end));
      }
      at = end;
    } else if (byte === BACKSPACE) {
      row.move(-1);
      at++;
    } else if (byte === BELL) {
      at++;
    } else {
      const length = Math.max(1, sequenceLength(line, at));
      row.write(line.subarray(at, Math.min(to, at + length)));
      at += length;
    }
  }
  return row.append(out);
}
