/**
 * The shapes of entries (DWARF 5, section 7.5.3): which tag, which attributes in which forms. Each unit names the offset of
 * its table; the sizes of values are worked out once for a table, so that entries nobody asks for are passed over quickly.
 */
import { ByteCursor } from '../byte-cursor.ts';
import { form } from './constants.ts';
import { type Encoding, fixedSize } from './forms.ts';

interface AttributeShape {
  readonly attribute: number;
  readonly form: number;
  /** The value itself, for `form.implicitConst`. */
  readonly implicit: number;
}

export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly AttributeShape[];
  /** Bytes of all values together, or −1 when that depends on the values. */
  readonly size: number;
}

/** Indexed by the abbreviation's code; compilers number them from 1 without gaps. */
export type AbbreviationTable = readonly (Abbreviation | undefined)[];

/** Codes beyond are damage: they would only cost memory. */
const MOST_CODES = 1 << 20;

export function readAbbreviations(section: Uint8Array, offset: number, encoding: Encoding): AbbreviationTable {
  const cursor = new ByteCursor(section, true, offset);
  const table: (Abbreviation | undefined)[] = [];
  for (let code = cursor.uleb(); code !== 0; code = cursor.uleb()) {
    if (code > MOST_CODES) {
      throw new RangeError(`Abbreviation ${code}`);
    }
    const tag = cursor.uleb();
    const hasChildren = cursor.u8() !== 0;
    const attributes = readShapes(cursor);
    const each = attributes.map((shape) => fixedSize(shape.form, encoding));
    const size = each.includes(-1) ? -1 : each.reduce((sum, bytes) => sum + bytes, 0);
    table[code] = { tag, hasChildren, attributes, size };
    if (cursor.atEnd) {
      break;
    }
  }
  return table;
}

function readShapes(cursor: ByteCursor): AttributeShape[] {
  const shapes: AttributeShape[] = [];
  for (;;) {
    const attribute = cursor.uleb();
    const kind = cursor.uleb();
    const implicit = kind === form.implicitConst ? cursor.sleb() : 0;
    if (attribute === 0 && kind === 0) {
      return shapes;
    }
    shapes.push({ attribute, form: kind, implicit });
  }
}
