/** Reads layouts of structures: offsets of members by name. Bit fields are left out. */
import { attribute, tag } from './constants.ts';
import { walkEntries } from './entries.ts';
import type { TypeReader } from './types.ts';
import type { Unit } from './unit.ts';

export interface StructureLayout {
  /** In bytes. */
  readonly size: number;
  /** Offsets of the members in bytes, by name. */
  readonly members: ReadonlyMap<string, number>;
}

const wanted = new Set<number>([attribute.name, attribute.byteSize]);

/**
 * Finds the structure of this name at the top level of a unit; undefined if the unit has no such structure.
 * @throws RangeError if the unit is damaged.
 */
export function findStructure(unit: Unit, name: string, types: TypeReader): StructureLayout | undefined {
  let found: number | undefined;
  walkEntries(unit, unit.header.firstEntry, {
    enter: (entry) => {
      if (entry.depth === 0) {
        return 'into';
      }
      if (entry.tag === tag.structureType) {
        const values = entry.values(wanted);
        if (values.has(attribute.byteSize) && unit.string(values.get(attribute.name)) === name) {
          found = entry.offset;
          return 'end';
        }
      }
      return 'over';
    },
  });
  const type = found === undefined ? undefined : types.read(found);
  if (type?.kind !== 'structure') {
    return undefined;
  }
  const members = type.members.flatMap((member) =>
    member.name === null || member.bits !== null ? [] : [[member.name, member.offset] as const],
  );
  return { size: type.size, members: new Map(members) };
}
