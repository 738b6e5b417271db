/**
 * The bytes of a line that a terminal would show as text. Control functions are removed, and so is text that CR, BS or
 * an editing sequence has overwritten or erased. Rows, copies, text exports, find, filters, levels and plots all read
 * lines through here, so that they agree. Other control bytes and invalid UTF-8 stay, to be written out as `\x01`.
 *
 * A `\r` moves to the left margin, and the following text overwrites what is there. A `\r` beside a `\n` is half of a
 * line ending inside of a packet and stays.
 */
import { ByteList } from './byte-list.ts';
import { isControl, movesToMargin } from './control-finder.ts';
import {
  BACKSPACE,
  BELL,
  CARRIAGE_RETURN,
  controlEnd,
  ESCAPE,
  isColour,
  isColourParameter,
  type LineEdit,
  lineEdit,
  NUL,
  OPEN_BRACKET,
  TAB,
} from './control-sequences.ts';
import { EditedRow } from './edited-row.ts';
import { sequenceLength } from './visible-utf8.ts';

const LETTER_M = 0x6d;
/**
 * Most bytes of a line that are edited. A longer line is read from its first `\r` within its last bytes on. Without
 * such a `\r`, its sequences are only removed.
 */
const LONGEST_EDITED = 1 << 16;

/** Returns true if some bytes may be invisible. */
function hasControls(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (isControl(bytes[at] as number)) {
      return true;
    }
  }
  return false;
}

/** Returns true for a byte that a terminal obeys without drawing or moving anything in the line. */
const isSilent = (byte: number) => byte === BELL || byte === NUL;

/** Returns the visible bytes of a line without colours, or `line` itself if everything in it is visible. */
export function visibleBytes(line: Uint8Array): Uint8Array {
  if (!hasControls(line)) {
    return line;
  }
  const stripped = new Uint8Array(line.length);
  const length = stripControls(line, 0, line.length, stripped);
  return length === -1 ? shownBytes(line, false) : stripped.subarray(0, length);
}

/**
 * Returns true if the line from `from` up to `to` draws more than `max` bytes. Marks, colours and overwritten text do
 * not count. A line that is too long to be edited counts as it arrived.
 */
export function drawsMoreThan(max: number, bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  return length > max && (length > LONGEST_EDITED || visibleBytes(bytes.subarray(from, to)).length > max);
}

/** Returns the visible bytes of a line with its colours (SGR), or `line` itself if it has no control functions. */
export function colouredBytes(line: Uint8Array): Uint8Array {
  return hasControls(line) ? shownBytes(line, true) : line;
}

/**
 * Copies a line without its control functions to `out`, which has room for it. This is enough for nearly every line.
 *
 * @returns Number of bytes copied; -1 if the line has a control string, or text that was overwritten or erased. Use
 *   `visibleBytes` for such a line.
 */
export function stripControls(line: Uint8Array, from: number, to: number, out: Uint8Array): number {
  let length = 0;
  // The cursor is at the left margin of a line with text.
  let returned = false;
  for (let at = from; at < to; ) {
    const byte = line[at] as number;
    if (byte === ESCAPE) {
      if (line[at + 1] !== OPEN_BRACKET || at + 1 >= to) {
        return -1;
      }
      const end = controlEnd(line, at, to);
      const effect = textEffect(line, at, end);
      if (effect === 'changes' || (effect === 'changes-written' && length > 0) || (effect === 'erases' && returned)) {
        return -1;
      }
      at = end;
      continue;
    }
    if (byte === BACKSPACE) {
      return -1;
    }
    if (byte === CARRIAGE_RETURN && movesToMargin(line, at)) {
      returned = length > 0;
    } else if (!isSilent(byte)) {
      if (returned) {
        return -1;
      }
      out[length++] = byte;
    }
    at++;
  }
  return length;
}

/**
 * Effect of a control sequence on text: none, a change, a change only if the line has text, or an erasure from the
 * cursor on. The latter changes nothing while the cursor is behind the text.
 */
export type TextEffect = 'none' | 'changes' | 'changes-written' | 'erases';

/** @param at Offset of its ESC. @param end Offset behind it. */
export function textEffect(line: Uint8Array, at: number, end: number): TextEffect {
  const edit = lineEdit(line, at, end);
  if (edit === null) {
    return 'none';
  }
  return erasesToEnd(edit) ? 'erases' : movesRight(edit) ? 'changes' : 'changes-written';
}

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

/** Returns the bytes that are shown of a line, with or without its colours. */
function shownBytes(whole: Uint8Array, colours: boolean): Uint8Array {
  const line = editableEnd(whole);
  const mayEdit = line.length <= LONGEST_EDITED;
  const out = new ByteList(line.length);
  let returned = false;
  let shows = false;
  for (let at = 0; at < line.length; ) {
    const byte = line[at] as number;
    if (byte === BACKSPACE && mayEdit) {
      return editedBytes(line, colours);
    }
    if (byte === ESCAPE) {
      const end = controlEnd(line, at, line.length);
      if (end > at) {
        const edit = lineEdit(line, at, end);
        const changes = edit !== null && (erasesToEnd(edit) ? returned : shows || movesRight(edit));
        if (changes && mayEdit) {
          return editedBytes(line, colours);
        }
        if (colours && isColour(line, at, end)) {
          out.pushAll(line, at, end);
        }
        at = end;
        continue;
      }
    }
    if (byte === CARRIAGE_RETURN && movesToMargin(line, at)) {
      returned = shows;
    } else if (!isSilent(byte) && byte !== BACKSPACE) {
      if (returned && mayEdit) {
        return editedBytes(line, colours);
      }
      out.push(byte);
      shows = true;
    }
    at++;
  }
  return out.take(out.length);
}

/** Returns the end of a line that is too long to be edited, from a `\r` on; the whole line without one. */
function editableEnd(line: Uint8Array): Uint8Array {
  if (line.length <= LONGEST_EDITED) {
    return line;
  }
  let at = line.indexOf(CARRIAGE_RETURN, line.length - LONGEST_EDITED);
  while (at !== -1 && !movesToMargin(line, at)) {
    at = line.indexOf(CARRIAGE_RETURN, at + 1);
  }
  return at === -1 || at + 1 === line.length ? line : line.subarray(at + 1);
}

/**
 * Returns true if the edit erases from the cursor on. While a line is written from left to right, no text is there.
 */
const erasesToEnd = ({ final, parameter }: LineEdit) =>
  (final === 'K' || final === 'J') && (parameter === null || parameter === 0);

/** Returns true if the edit changes an empty row. The other edits erase nothing there, or move to its first column. */
const movesRight = ({ final, parameter }: LineEdit) =>
  final === 'C' || final === 'a' || ((final === 'G' || final === '`') && parameter !== null && parameter > 1);

/** Does the same as `shownBytes`, with a cursor that moves. */
function editedBytes(line: Uint8Array, colours: boolean): Uint8Array {
  const row = new EditedRow();
  for (let at = 0; at < line.length; ) {
    const byte = line[at] as number;
    const end = byte === ESCAPE ? controlEnd(line, at, line.length) : at;
    if (end > at) {
      const edit = lineEdit(line, at, end);
      if (edit !== null) {
        row.edit(edit);
      } else if (colours && isColour(line, at, end)) {
        row.colour(line.subarray(at, end));
      }
      at = end;
    } else if (byte === CARRIAGE_RETURN && movesToMargin(line, at)) {
      row.toMargin();
      at++;
    } else if (byte === BACKSPACE) {
      row.move(-1);
      at++;
    } else if (byte === TAB) {
      row.tab();
      at++;
    } else if (isSilent(byte)) {
      at++;
    } else {
      const length = Math.max(1, sequenceLength(line, at));
      row.write(line.subarray(at, Math.min(line.length, at + length)));
      at += length;
    }
  }
  return row.bytes();
}
