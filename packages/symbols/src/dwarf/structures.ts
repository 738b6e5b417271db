/** Layouts of structures: where their members are, by name (DWARF 5, sections 5.7.1 and 5.7.6). Bit fields are left out. */
import type { ByteCursor } from '../byte-cursor.ts';
import type { Abbreviation } from './abbreviations.ts';
import { attribute, form, tag } from './constants.ts';
import { type RawValue, readValue, skipValue } from './forms.ts';
import type { Unit } from './unit.ts';

export interface StructureLayout {
  /** Bytes. */
  readonly size: number;
  /** Offsets in bytes. */
  readonly members: ReadonlyMap<string, number>;
}

/** The structure of this name at the top of a unit; undefined when there is none. Throws a `RangeError` where the unit is damaged. */
export function findStructure(unit: Unit, name: string): StructureLayout | undefined {
  const { header, abbreviations } = unit;
  const cursor = unit.cursorAt(header.firstEntry);
  let depth = 0;
  while (cursor.position < header.end) {
    const code = cursor.uleb();
    if (code === 0) {
      depth--;
      if (depth <= 0) {
        return undefined;
      }
      continue;
    }
    const abbreviation = abbreviations[code];
    if (abbreviation === undefined) {
      throw new RangeError(`Abbreviation ${code} is missing`);
    }
    if (depth === 1 && abbreviation.tag === tag.structureType) {
      const values = readEntry(cursor, abbreviation, unit);
      const size = values.get(attribute.byteSize)?.number;
      if (size !== undefined && unit.string(values.get(attribute.name)) === name) {
        return { size, members: abbreviation.hasChildren ? readMembers(cursor, unit) : new Map() };
      }
      skipChildren(cursor, abbreviation, values, unit);
    } else if (depth >= 1 && abbreviation.hasChildren) {
      skipChildren(cursor, abbreviation, readEntry(cursor, abbreviation, unit), unit);
    } else {
      skipEntry(cursor, abbreviation, unit);
      depth += abbreviation.hasChildren ? 1 : 0;
    }
  }
  return undefined;
}

function readMembers(cursor: ByteCursor, unit: Unit): Map<string, number> {
  const members = new Map<string, number>();
  for (let code = cursor.uleb(); code !== 0; code = cursor.uleb()) {
    const abbreviation = unit.abbreviations[code];
    if (abbreviation === undefined) {
      throw new RangeError(`Abbreviation ${code} is missing`);
    }
    const values = readEntry(cursor, abbreviation, unit);
    const name = unit.string(values.get(attribute.name));
    const place = values.get(attribute.dataMemberLocation);
    // An expression in its place, as DWARF 2 had it, is a block.
    if (abbreviation.tag === tag.member && name !== undefined && place !== undefined && !isBlock(place)) {
      members.set(name, place.number);
    }
    skipChildren(cursor, abbreviation, values, unit);
  }
  return members;
}

const isBlock = ({ form: kind }: RawValue) => kind === form.block1 || kind === form.block || kind === form.exprloc;

function readEntry(cursor: ByteCursor, { attributes }: Abbreviation, unit: Unit): Map<number, RawValue> {
  return new Map(
    attributes.map((shape) => [shape.attribute, readValue(cursor, shape.form, shape.implicit, unit.header)]),
  );
}

function skipEntry(cursor: ByteCursor, { size, attributes }: Abbreviation, unit: Unit): void {
  if (size >= 0) {
    cursor.position += size;
    return;
  }
  for (const shape of attributes) {
    skipValue(cursor, shape.form, unit.header);
  }
}

/** Moves behind the entries inside of one, of which the values were read. */
function skipChildren(
  cursor: ByteCursor,
  { hasChildren }: Abbreviation,
  values: ReadonlyMap<number, RawValue>,
  unit: Unit,
): void {
  if (!hasChildren) {
    return;
  }
  const sibling = values.get(attribute.sibling);
  const behind = sibling && unit.reference(sibling);
  if (behind !== undefined && behind > cursor.position && behind <= unit.header.end) {
    cursor.position = behind;
    return;
  }
  for (let depth = 1; depth > 0; ) {
    const code = cursor.uleb();
    const abbreviation = unit.abbreviations[code];
    if (code === 0) {
      depth--;
    } else if (abbreviation === undefined) {
      throw new RangeError(`Abbreviation ${code} is missing`);
    } else {
      skipEntry(cursor, abbreviation, unit);
      depth += abbreviation.hasChildren ? 1 : 0;
    }
  }
}
