import type { ByteList } from './byte-list.ts';
import type { LineEdit } from './control-sequences.ts';

/** Columns that a sequence can move or fill to, so that a parameter cannot make a line of any length. */
const MAX_COLUMNS = 4_096;
/** Characters of colour sequences after which older ones are dropped. */
const LONGEST_PEN = 256;

interface Cell {
  readonly bytes: Uint8Array;
  /** All colour sequences that apply, in order. */
  readonly pen: string;
}

const blank: Uint8Array = Uint8Array.of(0x20);
/** Turns colours off. */
const RESET = '\x1b[0m';
const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

/**
 * One row of a terminal: cells, a cursor, and colours. Erasing text left of the cursor is delayed until the next
 * write, so that text that was not replaced stays readable.
 */
export class EditedRow {
  #cells: Cell[] = [];
  #cursor = 0;
  #pen = '';
  #erasure: (() => void) | null = null;

  move(by: number): void {
    // Written text may reach beyond the column to which a sequence may move.
    this.#cursor = Math.max(
      0,
      by < 0 ? this.#cursor + by : Math.max(this.#cursor, Math.min(MAX_COLUMNS, this.#cursor + by)),
    );
  }

  write(bytes: Uint8Array): void {
    this.#erasure?.();
    this.#erasure = null;
    this.#fillTo(this.#cursor);
    this.#cells[this.#cursor] = { bytes, pen: this.#pen };
    this.#cursor++;
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
        this.#cells.splice(this.#cursor, count);
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
  }

  /** Appends the row to `out`. Returns true if a character was appended. */
  append(out: ByteList): boolean {
    let pen = '';
    for (const cell of this.#cells) {
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
    return this.#cells.length > 0;
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
    this.#erasure = () => this.#blank(0, end);
    if (final === 'J' && extent > 1) {
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

  #blank(from: number, to: number): void {
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
