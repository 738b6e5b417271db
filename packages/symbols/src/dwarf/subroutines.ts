/**
 * Finds the functions of a unit and the calls that the compiler inlined into them, in one walk of the entries. Names
 * stay references that `names.ts` reads later, because few of them are ever needed.
 */

import type { AddressRange } from './address-lists.ts';
import { attribute, tag } from './constants.ts';
import { type EntryValues, walkEntries } from './entries.ts';
import type { Unit } from './unit.ts';

/** A subprogram, or an inlined call. */
export interface Subroutine {
  /** Offset of the entry in `.debug_info`. */
  readonly entry: number;
  readonly isInlined: boolean;
  /** File index of the call in the unit's line table, for an inlined call; otherwise 0. */
  readonly callFile: number;
  readonly callLine: number;
  readonly ranges: readonly AddressRange[];
}

export interface SubroutineVisitor {
  /** Called for each subroutine, before its nested subroutines. */
  enter(subroutine: Subroutine): void;
  /** Called after the nested subroutines. */
  leave(): void;
}

/** Tags of entries that contain no code. */
const withoutCode = new Set<number>([tag.arrayType, tag.enumerationType, tag.subroutineType]);
const wanted = new Set<number>([
  attribute.lowPc,
  attribute.highPc,
  attribute.ranges,
  attribute.callFile,
  attribute.callLine,
]);

/**
 * Visits the functions and inlined calls of a unit.
 * @throws RangeError if the unit is damaged.
 */
export function visitSubroutines(unit: Unit, visitor: SubroutineVisitor): void {
  /** One element for each open entry: true if it is a subroutine. */
  const open: boolean[] = [];
  walkEntries(unit, unit.header.firstEntry, {
    enter: (entry) => {
      if (withoutCode.has(entry.tag)) {
        return 'over';
      }
      const isInlined = entry.tag === tag.inlinedSubroutine;
      const isSubroutine = isInlined || entry.tag === tag.subprogram;
      if (isSubroutine) {
        // Visits declarations and abstract instances of inlined functions as well: a lambda inside one can have code.
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
