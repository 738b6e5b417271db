/** Fields of frames as columns of a CSV file: a column for each name. */
import type { DecodedField, FieldValue } from '@wirebench/frames';
import type { FramedLine } from '../framing/channel-decoder.ts';
import { hexText } from '../hex-text.ts';

/** Most columns. Further names are left out, and the last column says how many. */
const MAX_COLUMNS = 256;

/** Names of all fields of the lines, in order of appearance. */
export class FrameColumns {
  readonly #names = new Map<string, number>();
  readonly #heads: string[] = [];
  readonly #leftOut = new Set<string>();

  add(framed: FramedLine | null): void {
    for (const field of framed?.frame.fields ?? []) {
      const { name } = field;
      if (!this.#names.has(name)) {
        if (this.#names.size < MAX_COLUMNS) {
          this.#names.set(name, this.#names.size);
          this.#heads.push(headOf(field));
        } else {
          this.#leftOut.add(name);
        }
      }
    }
  }

  /** True: no frame with fields was added. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  get head(): readonly string[] {
    const more = this.#leftOut.size === 0 ? [] : [`${this.#leftOut.size} more fields left out`];
    return ['who', 'message', 'state', ...this.#heads, ...more];
  }

  /** Returns the cells of a line, in the order of `head`. A field without a value, and another line, have empty cells. */
  cells(framed: FramedLine | null): readonly string[] {
    const cells = this.head.map(() => '');
    if (framed === null) {
      return cells;
    }
    const { who, message, kind, fields } = framed.frame;
    cells.splice(0, 3, who ?? '', message, framed.unanswered === null ? kind : 'no answer');
    for (const field of fields) {
      const column = this.#names.get(field.name);
      if (column !== undefined) {
        cells[column + 3] = cellText(field);
      }
    }
    return cells;
  }
}

/** Returns the head of a column: a name with spaces has the unit behind it, `Total power (kW)`. */
const headOf = ({ name, title, unit }: DecodedField): string =>
  title === undefined ? name : unit === undefined || unit === '' ? title : `${title} (${unit})`;

/** Returns a value as a cell shows it: its name if it has one, numbers with all of their digits, bytes in hex. */
function cellText({ value, named }: DecodedField): string {
  return named !== undefined && named !== '' ? named : plainText(value);
}

function plainText(value: FieldValue): string {
  if (value === null) {
    return '';
  }
  return value instanceof Uint8Array ? hexText(value) : String(value);
}
