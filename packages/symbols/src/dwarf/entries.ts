/**
 * Walks the tree of entries (DWARF 5, section 2.3): the one way through `.debug_info` for all who look for functions, types and variables. Values are read
 * only where somebody asks for them; entries that nobody wants are passed over by their size.
 */
import type { ByteCursor } from '../byte-cursor.ts';
import type { Abbreviation } from './abbreviations.ts';
import { attribute } from './constants.ts';
import { type RawValue, readValue, skipValue } from './forms.ts';
import type { Unit } from './unit.ts';

/** By attribute. */
export type EntryValues = ReadonlyMap<number, RawValue>;

/** An entry that is being visited; it is of no use afterwards. */
interface Entry {
  /** In `.debug_info`. */
  readonly offset: number;
  readonly tag: number;
  /** 0 for the one where the walk began. */
  readonly depth: number;
  /** All of them, or those of the attributes that are named. */
  values(wanted?: ReadonlySet<number>): EntryValues;
}

export interface EntryVisitor {
  /** Says whether the walk goes into the entry, passes over what is inside of it, or ends here. */
  enter(entry: Entry): 'into' | 'over' | 'end';
  /** Called for each entry that the walk went into, behind those inside of it. */
  leave?(): void;
}

/** Visits the entry at `offset` and those inside of it. Throws a `RangeError` where the unit is damaged. */
export function walkEntries(unit: Unit, offset: number, visitor: EntryVisitor): void {
  const { abbreviations } = unit;
  const cursor = unit.cursorAt(offset);
  const current = new Current(unit, cursor);
  let depth = 0;
  while (cursor.position < unit.header.end) {
    const at = cursor.position;
    const code = cursor.uleb();
    if (code === 0) {
      depth--;
      if (depth >= 0) {
        visitor.leave?.();
      }
    } else {
      const abbreviation = abbreviations[code];
      if (abbreviation === undefined) {
        throw new RangeError(`Abbreviation ${code} is missing`);
      }
      current.moveTo(at, abbreviation, depth);
      const answer = visitor.enter(current);
      if (answer === 'end') {
        return;
      }
      if (answer === 'into') {
        current.passValues();
        if (abbreviation.hasChildren) {
          depth++;
        } else {
          visitor.leave?.();
        }
      } else {
        current.passInside();
      }
    }
    if (depth <= 0) {
      return;
    }
  }
}

/** The values of one entry, of all attributes or of those that are named. Throws a `RangeError` where the unit is damaged. */
export function entryAt(
  unit: Unit,
  offset: number,
  wanted?: ReadonlySet<number>,
): { readonly tag: number; readonly values: EntryValues } {
  let found: { tag: number; values: EntryValues } | undefined;
  walkEntries(unit, offset, {
    enter: (entry) => {
      found = { tag: entry.tag, values: entry.values(wanted) };
      return 'end';
    },
  });
  if (found === undefined) {
    throw new RangeError(`No entry at ${offset}`);
  }
  return found;
}

const none: ReadonlySet<number> = new Set();

class Current implements Entry {
  offset = 0;
  tag = 0;
  depth = 0;
  readonly #unit: Unit;
  readonly #cursor: ByteCursor;
  #abbreviation: Abbreviation | undefined;
  #values: Map<number, RawValue> | undefined;

  constructor(unit: Unit, cursor: ByteCursor) {
    this.#unit = unit;
    this.#cursor = cursor;
  }

  moveTo(offset: number, abbreviation: Abbreviation, depth: number): void {
    this.offset = offset;
    this.tag = abbreviation.tag;
    this.depth = depth;
    this.#abbreviation = abbreviation;
    this.#values = undefined;
  }

  values(wanted?: ReadonlySet<number>): EntryValues {
    if (this.#values === undefined) {
      this.#values = new Map();
      const { header } = this.#unit;
      for (const { attribute: name, form, implicit } of this.#abbreviation?.attributes ?? []) {
        // Where the next entry is, the walk itself wants to know.
        if (wanted === undefined || wanted.has(name) || name === attribute.sibling) {
          this.#values.set(name, readValue(this.#cursor, form, implicit, header));
        } else {
          skipValue(this.#cursor, form, header);
        }
      }
    }
    return this.#values;
  }

  passValues(): void {
    if (this.#values !== undefined || this.#abbreviation === undefined) {
      return;
    }
    const { size, attributes } = this.#abbreviation;
    if (size >= 0) {
      this.#cursor.position += size;
      return;
    }
    for (const { form } of attributes) {
      skipValue(this.#cursor, form, this.#unit.header);
    }
  }

  /** Moves behind the entry and all that is inside of it. */
  passInside(): void {
    const cursor = this.#cursor;
    if (this.#abbreviation?.hasChildren !== true) {
      this.passValues();
      return;
    }
    const sibling = this.values(none).get(attribute.sibling);
    const behind = sibling && this.#unit.reference(sibling);
    if (behind !== undefined && behind > cursor.position && behind <= this.#unit.header.end) {
      cursor.position = behind;
      return;
    }
    for (let depth = 1; depth > 0; ) {
      const code = cursor.uleb();
      const abbreviation = this.#unit.abbreviations[code];
      if (code === 0) {
        depth--;
      } else if (abbreviation === undefined) {
        throw new RangeError(`Abbreviation ${code} is missing`);
      } else {
        this.#abbreviation = abbreviation;
        this.#values = undefined;
        this.passValues();
        depth += abbreviation.hasChildren ? 1 : 0;
      }
    }
  }
}
