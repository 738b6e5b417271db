import { ByteList } from './byte-list.ts';
import type { LineEdit } from './control-sequences.ts';

/** Columns that a sequence can move or fill to, so that a parameter cannot make a line of any length. */
const MAX_COLUMNS = 4_096;
/** Characters of colour sequences after which older ones are dropped. */
const LONGEST_PEN = 256;

/** Columns from one tab stop to the next. */
const TAB_COLUMNS = 8;

interface Cell {
  /** UTF-8 of the character. Empty for the second cell of a wide character. */
  readonly bytes: Uint8Array;
  /** All colour sequences that apply, in order. */
  readonly pen: string;
}

/** Bytes of one cell after which combining marks are dropped. */
const LONGEST_CHARACTER = 64;

const blank: Uint8Array = Uint8Array.of(0x20);
const nothing: Uint8Array = new Uint8Array(0);
/** Turns colours off. */
const RESET = '\x1b[0m';
const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

/**
 * Number of cells that a terminal gives to a character: 2 for East Asian wide characters (Unicode UAX 11), 0 for
 * combining marks, else 1.
 */

const utf8 = new TextDecoder();
const combining = /^[\p{Mn}\p{Me}\u200b-\u200d]$/u;
const FIRST_COMBINING = 0x300;

/** First and last code points of wide characters. */
const wide = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
] as const;

/** @param bytes UTF-8 of one character, or one byte that is not part of a character. */
function cellsOf(bytes: Uint8Array): 0 | 1 | 2 {
  if (bytes.length < 2) {
    return 1;
  }
  const character = String.fromCodePoint(utf8.decode(bytes).codePointAt(0) ?? 0);
  const code = character.codePointAt(0) ?? 0;
  if (code < FIRST_COMBINING) {
    return 1;
  }
  if (combining.test(character)) {
    return 0;
  }
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/**
 * One row of a terminal: cells, a cursor, and colours. Clearing the screen (ED 1 to 3) is delayed until the next write,
 * because text that was not replaced stays readable in a log. The row has no right margin.
 */
export class EditedRow {
  #cells: Cell[] = [];
  #cursor = 0;
  #pen = '';
  #clear: (() => void) | null = null;
  /** True: a wide character was written. */
  #hasWide = false;

  move(by: number): void {
    // Written text may reach beyond the column to which a sequence may move.
    this.#cursor = Math.max(
      0,
      by < 0 ? this.#cursor + by : Math.max(this.#cursor, Math.min(MAX_COLUMNS, this.#cursor + by)),
    );
  }

  toMargin(): void {
    this.#cursor = 0;
  }

  /** Moves to the next tab stop. */
  tab(): void {
    this.move(TAB_COLUMNS - (this.#cursor % TAB_COLUMNS));
  }

  /** @param bytes UTF-8 of one character. */
  write(bytes: Uint8Array): void {
    const width = cellsOf(bytes);
    if (width === 0) {
      this.#combine(bytes);
      return;
    }
    this.#clear?.();
    this.#clear = null;
    this.#fillTo(this.#cursor);
    this.#cells[this.#cursor++] = { bytes, pen: this.#pen };
    if (width === 2) {
      this.#hasWide = true;
      this.#cells[this.#cursor++] = { bytes: nothing, pen: this.#pen };
    }
    this.#blankHalves(this.#cursor - width - 1, this.#cursor + 1);
  }

  /** Adds a combining mark to the character before the cursor. */
  #combine(bytes: Uint8Array): void {
    const column = this.#cursor - (this.#cells[this.#cursor - 1]?.bytes.length === 0 ? 2 : 1);
    const cell = this.#cells[column];
    if (cell !== undefined && cell.bytes.length < LONGEST_CHARACTER) {
      this.#cells[column] = { ...cell, bytes: Uint8Array.of(...cell.bytes, ...bytes) };
    }
  }

  colour(sequence: Uint8Array): void {
    const text = decoder.decode(sequence);
    this.#pen = /^0*m$/.test(text.slice(2)) ? '' : this.#pen.length > LONGEST_PEN ? text : `${this.#pen}${text}`;
  }

  edit({ final, parameter }: LineEdit): void {
    const count = Math.min(MAX_COLUMNS, Math.max(1, parameter ?? 1));
    switch (final) {
      case 'C':
      case 'a':
        this.move(count);
        break;
      case 'D':
        this.move(-count);
        break;
      case 'G':
      case '`':
        this.#cursor = count - 1;
        break;
      case 'P':
        this.#delete(count);
        break;
      case '@':
        this.#insert(count);
        break;
      case 'X':
        this.#blank(this.#cursor, Math.min(this.#cells.length, this.#cursor + count));
        break;
      default:
        this.#erase(final, parameter ?? 0);
    }
    this.#blankHalves(0, this.#cells.length);
  }

  /** Blanks the halves of wide characters whose other half was overwritten or moved, from a column to before another. */
  #blankHalves(from: number, to: number): void {
    if (!this.#hasWide) {
      return;
    }
    for (let column = Math.max(0, from); column < Math.min(to, this.#cells.length); column++) {
      if (this.#isHalf(column)) {
        this.#cells[column] = blankCell;
      }
    }
  }

  /** Returns the UTF-8 of the row with its colours. Blanks at the end that were never written are left out. */
  bytes(): Uint8Array {
    const out = new ByteList(this.#cells.length);
    let { length } = this.#cells;
    while (length > 0 && this.#cells[length - 1] === blankCell) {
      length--;
    }
    let pen = '';
    for (let column = 0; column < length; column++) {
      const cell = this.#cells[column] as Cell;
      if (cell.pen !== pen) {
        const sequences = encoder.encode(`${pen === '' ? '' : RESET}${cell.pen}`);
        out.pushAll(sequences, 0, sequences.length);
        pen = cell.pen;
      }
      out.pushAll(cell.bytes, 0, cell.bytes.length);
    }
    if (pen !== this.#pen) {
      const sequences = encoder.encode(`${RESET}${this.#pen}`);
      out.pushAll(sequences, 0, sequences.length);
    }
    return out.take(out.length);
  }

  /** Returns true for one cell of a wide character whose other cell was overwritten or moved. */
  #isHalf(column: number): boolean {
    const { bytes } = this.#cells[column] as Cell;
    if (bytes.length === 0) {
      return cellsOf(this.#cells[column - 1]?.bytes ?? nothing) !== 2;
    }
    return cellsOf(bytes) === 2 && this.#cells[column + 1]?.bytes.length !== 0;
  }

  /**
   * Executes EL and ED: 0 from the cursor on, 1 up to the cursor, 2 and 3 everything. Only this row of the screen is
   * known.
   */
  #erase(final: string, extent: number): void {
    const { length } = this.#cells;
    if (extent === 0) {
      this.#cells.length = Math.min(length, this.#cursor);
      return;
    }
    const end = extent === 1 ? Math.min(length, this.#cursor + 1) : length;
    if (final === 'K') {
      this.#blank(0, extent > 2 ? 0 : end);
      return;
    }
    this.#clear = () => this.#blank(0, end);
    if (extent > 1) {
      // Programs clear the screen to begin at its first column.
      this.#cursor = 0;
    }
  }

  #insert(count: number): void {
    if (this.#cursor < this.#cells.length) {
      const room = Math.max(0, MAX_COLUMNS - this.#cells.length);
      this.#cells.splice(this.#cursor, 0, ...Array.from({ length: Math.min(count, room) }, () => blankCell));
    }
  }

  /** Halves of two wide characters that a deletion brings together are no character. */
  #delete(count: number): void {
    if (this.#cells[this.#cursor]?.bytes.length === 0) {
      this.#cells[this.#cursor - 1] = blankCell;
    }
    this.#cells.splice(this.#cursor, count);
    if (this.#cells[this.#cursor]?.bytes.length === 0) {
      this.#cells[this.#cursor] = blankCell;
    }
  }

  #blank(from: number, to: number): void {
    if (from >= to) {
      return;
    }
    this.#cells.fill(blankCell, from, to);
    if (to === this.#cells.length) {
      this.#cells.length = from;
    }
  }

  #fillTo(length: number): void {
    while (this.#cells.length < length) {
      this.#cells.push(blankCell);
    }
  }
}

const blankCell: Cell = { bytes: blank, pen: '' };
