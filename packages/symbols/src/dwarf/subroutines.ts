/**
 * The functions of a unit, and the calls that the compiler inlined into them: walks the tree of entries once and yields
 * each that has code. Names stay references (`names.ts` reads them), since few of them are ever asked for.
 */
import type { ByteCursor } from '../byte-cursor.ts';
import type { Abbreviation } from './abbreviations.ts';
import { attribute, tag } from './constants.ts';
import { type RawValue, readValue, skipValue } from './forms.ts';
import type { AddressRange } from './range-lists.ts';
import type { Unit } from './unit.ts';

/** A subprogram, or a call inlined into one. */
export interface Subroutine {
  /** Offset of the entry in `.debug_info`. */
  readonly entry: number;
  readonly isInlined: boolean;
  /** Of the call, for an inlined one; numbered as in the unit's line table. */
  readonly callFile: number;
  readonly callLine: number;
  readonly ranges: readonly AddressRange[];
}

export interface SubroutineVisitor {
  /** Called for each subroutine before those inside of it. */
  enter(subroutine: Subroutine): void;
  /** Called behind those inside of it. */
  leave(): void;
}

/** Entries of these tags hold no code; compilers say where their inside ends. */
const withoutCode = new Set<number>([tag.arrayType, tag.enumerationType, tag.subroutineType]);

/** Throws a `RangeError` where the unit is damaged. */
export function visitSubroutines(unit: Unit, visitor: SubroutineVisitor): void {
  const { header, abbreviations } = unit;
  const cursor = unit.cursorAt(header.firstEntry);
  /** For each open entry whether it is a subroutine. */
  const open: boolean[] = [];
  while (cursor.position < header.end) {
    const entry = cursor.position;
    const code = cursor.uleb();
    if (code === 0) {
      if (open.pop()) {
        visitor.leave();
      }
      if (open.length === 0) {
        return;
      }
      continue;
    }
    const abbreviation = abbreviations[code];
    if (abbreviation === undefined) {
      throw new RangeError(`Abbreviation ${code} is missing`);
    }
    let behind: number | undefined;
    let isEntered = false;
    if (abbreviation.tag === tag.subprogram || abbreviation.tag === tag.inlinedSubroutine) {
      // Declarations and models of inlined functions are looked into as well: a lambda inside of one can have code.
      const values = readSubroutine(cursor, abbreviation, unit);
      visitor.enter({ entry, isInlined: abbreviation.tag === tag.inlinedSubroutine, ...codeOf(values, unit) });
      isEntered = true;
    } else if (withoutCode.has(abbreviation.tag)) {
      behind = readSubroutine(cursor, abbreviation, unit).sibling;
    } else if (abbreviation.size >= 0) {
      cursor.position += abbreviation.size;
    } else {
      for (const shape of abbreviation.attributes) {
        skipValue(cursor, shape.form, header);
      }
    }
    if (behind !== undefined) {
      cursor.position = Math.max(cursor.position, behind);
    } else if (abbreviation.hasChildren) {
      open.push(isEntered);
    } else if (isEntered) {
      visitor.leave();
    }
    if (open.length === 0) {
      return;
    }
  }
}

interface SubroutineValues {
  low?: RawValue;
  high?: RawValue;
  ranges?: RawValue;
  callFile: number;
  callLine: number;
  sibling?: number;
}

function readSubroutine(cursor: ByteCursor, abbreviation: Abbreviation, unit: Unit): SubroutineValues {
  const values: SubroutineValues = { callFile: 0, callLine: 0 };
  for (const shape of abbreviation.attributes) {
    switch (shape.attribute) {
      case attribute.lowPc:
        values.low = readValue(cursor, shape.form, shape.implicit, unit.header);
        break;
      case attribute.highPc:
        values.high = readValue(cursor, shape.form, shape.implicit, unit.header);
        break;
      case attribute.ranges:
        values.ranges = readValue(cursor, shape.form, shape.implicit, unit.header);
        break;
      case attribute.callFile:
        values.callFile = readValue(cursor, shape.form, shape.implicit, unit.header).number;
        break;
      case attribute.callLine:
        values.callLine = readValue(cursor, shape.form, shape.implicit, unit.header).number;
        break;
      case attribute.sibling: {
        const sibling = unit.reference(readValue(cursor, shape.form, shape.implicit, unit.header));
        if (sibling !== undefined) {
          values.sibling = sibling;
        }
        break;
      }
      default:
        skipValue(cursor, shape.form, unit.header);
    }
  }
  return values;
}

function codeOf({ low, high, ranges, callFile, callLine }: SubroutineValues, unit: Unit) {
  return { callFile, callLine, ranges: low || ranges ? unit.rangesOf(low, high, ranges) : [] };
}
