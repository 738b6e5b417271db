/**
 * Walks the tree of entries in `.debug_info` (DWARF 5, section 2.3). All readers of functions, types and variables
 * use it. Values are read only on request; entries that the visitor does not need are skipped by their size.
 */
import type { ByteCursor } from '../byte-cursor.ts';
import type { Abbreviation } from './abbreviations.ts';
import { attribute } from './constants.ts';
import { type RawValue, readValue, skipValue } from './forms.ts';
import type { Unit } from './unit.ts';

/** Values by number of the attribute. */
export type EntryValues = ReadonlyMap<number, RawValue>;

/** An entry during its visit; invalid after `enter` returns. */
interface Entry {
  /** Offset in `.debug_info`. */
  readonly offset: number;
  readonly tag: number;
  /** Depth below the entry at which the walk began; that entry has 0. */
  readonly depth: number;
  /** Returns the values of all attributes, or of those in `wanted`. */
  values(wanted?: ReadonlySet<number>): EntryValues;
}

export interface EntryVisitor {
  /** Called for each entry. The result enters the children (`into`), skips them (`over`) or ends the walk (`end`). */
  enter(entry: Entry): 'into' | 'over' | 'end';
  /** Called after the children of each entry that the walk entered. */
  leave?(): void;
}

/**
 * Visits the entry at `offset` and its descendants.
 * @throws RangeError if the unit is damaged.
 */
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

/**
 * Returns the tag and the values of one entry, of all attributes or of those in `wanted`.
 * @throws RangeError if the unit is damaged.
 */
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
        // The walk itself needs the sibling reference to find the next entry.
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

  /** Moves the cursor past the entry and its descendants. */
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
