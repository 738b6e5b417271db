/**
 * Reads abbreviation tables (DWARF 5, section 7.5.3): the tag of an entry and the forms of its attributes. Each unit
 * gives the offset of its table. The total size of the values is computed once for each abbreviation, so that
 * unneeded entries are skipped quickly.
 */
import { ByteCursor } from '../byte-cursor.ts';
import { form } from './constants.ts';
import { type Encoding, fixedSize } from './forms.ts';

interface AttributeShape {
  readonly attribute: number;
  readonly form: number;
  /** The value itself, for `form.implicitConst`; otherwise 0. */
  readonly implicit: number;
}

export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly AttributeShape[];
  /** Total size of the values in bytes, or −1 if it differs from entry to entry. */
  readonly size: number;
}

/** Indexed by the abbreviation's code; compilers number them from 1 without gaps. */
export type AbbreviationTable = readonly (Abbreviation | undefined)[];

/** Maximum code of an abbreviation; higher codes are damage and would waste memory. */
const MAX_CODES = 1 << 20;

export function readAbbreviations(section: Uint8Array, offset: number, encoding: Encoding): AbbreviationTable {
  const cursor = new ByteCursor(section, true, offset);
  const table: (Abbreviation | undefined)[] = [];
  for (let code = cursor.uleb(); code !== 0; code = cursor.uleb()) {
    if (code > MAX_CODES) {
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
