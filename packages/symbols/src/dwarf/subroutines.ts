/**
 * The functions of a unit, and the calls that the compiler inlined into them: walks the tree of entries once and yields
 * each that has code. Names stay references (`names.ts` reads them), since few of them are ever asked for.
 */

import type { AddressRange } from './address-lists.ts';
import { attribute, tag } from './constants.ts';
import { type EntryValues, walkEntries } from './entries.ts';
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

/** Entries of these tags hold no code. */
const withoutCode = new Set<number>([tag.arrayType, tag.enumerationType, tag.subroutineType]);
const wanted = new Set<number>([
  attribute.lowPc,
  attribute.highPc,
  attribute.ranges,
  attribute.callFile,
  attribute.callLine,
]);

/** Throws a `RangeError` where the unit is damaged. */
export function visitSubroutines(unit: Unit, visitor: SubroutineVisitor): void {
  /** For each open entry whether it is a subroutine. */
  const open: boolean[] = [];
  walkEntries(unit, unit.header.firstEntry, {
    enter: (entry) => {
      if (withoutCode.has(entry.tag)) {
        return 'over';
      }
      const isInlined = entry.tag === tag.inlinedSubroutine;
      const isSubroutine = isInlined || entry.tag === tag.subprogram;
      if (isSubroutine) {
        // Declarations and models of inlined functions are looked into as well: a lambda inside of one can have code.
        visitor.enter({ entry: entry.offset, isInlined, ...codeOf(entry.values(wanted), unit) });
      }
      open.push(isSubroutine);
      return 'into';
    },
    leave: () => {
      if (open.pop()) {
        visitor.leave();
      }
    },
  });
}

function codeOf(values: EntryValues, unit: Unit) {
  return {
    callFile: values.get(attribute.callFile)?.number ?? 0,
    callLine: values.get(attribute.callLine)?.number ?? 0,
    ranges: unit.rangesOf(values.get(attribute.lowPc), values.get(attribute.highPc), values.get(attribute.ranges)),
  };
}
