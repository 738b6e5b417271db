/**
 * Finds entries of `.debug_info` by their offset, in any unit. Follows references for attributes that an entry leaves
 * to another one.
 */
import { lastAtMost } from '../lookup/search.ts';
import { attribute } from './constants.ts';
import { unlessDamaged } from './damage.ts';
import type { DebugSections } from './debug-sections.ts';
import { type EntryValues, entryAt, walkEntries } from './entries.ts';
import type { RawValue } from './forms.ts';
import { readUnitHeaders, type Unit, type UnitHeader, UnitReader } from './unit.ts';

export interface FoundEntry {
  readonly unit: Unit;
  readonly offset: number;
  readonly tag: number;
  readonly values: EntryValues;
}

/** A value with its unit, which is needed to interpret it. */
export interface FoundValue {
  readonly unit: Unit;
  readonly value: RawValue;
}

/** Maximum number of references to follow; entries that refer to each other in a circle are damaged. */
const LONGEST_CHAIN = 16;
/** Maximum number of direct children of an entry; more are damage. */
const MAX_CHILDREN = 50_000;

export class DebugEntries {
  readonly headers: readonly UnitHeader[];
  readonly #starts: readonly number[];
  readonly #reader: UnitReader;
  readonly #units = new Map<UnitHeader, Unit>();

  constructor(sections: DebugSections) {
    this.headers = readUnitHeaders(sections);
    this.#starts = this.headers.map(({ offset }) => offset);
    this.#reader = new UnitReader(sections);
  }

  /**
   * Returns the unit of a header, read once and cached.
   * @throws RangeError if the unit is damaged.
   */
  unit(header: UnitHeader): Unit {
    const known = this.#units.get(header) ?? this.#reader.read(header);
    this.#units.set(header, known);
    return known;
  }

  /**
   * Returns the entry at an offset in `.debug_info`.
   * @throws RangeError if there is no such entry or its unit is damaged.
   */
  at(offset: number): FoundEntry {
    const header = this.headers[lastAtMost(this.#starts, offset, 0, this.#starts.length)];
    if (header === undefined || offset >= header.end) {
      throw new RangeError(`No unit has an entry at ${offset}`);
    }
    const unit = this.unit(header);
    return { unit, offset, ...entryAt(unit, offset) };
  }

  /**
   * Returns the direct children of an entry.
   * @throws RangeError if the unit is damaged or the entry has too many children.
   */
  childrenOf({ unit, offset }: FoundEntry): FoundEntry[] {
    const children: FoundEntry[] = [];
    walkEntries(unit, offset, {
      enter: (entry) => {
        if (entry.depth === 0) {
          return 'into';
        }
        if (children.length === MAX_CHILDREN) {
          throw new RangeError('Too many entries');
        }
        children.push({ unit, offset: entry.offset, tag: entry.tag, values: entry.values() });
        return 'over';
      },
    });
    return children;
  }

  /**
   * Returns the entry that an attribute refers to. Undefined if the attribute is absent, holds no reference or refers
   * to another file.
   */
  referred({ unit, values }: FoundEntry, name: number): FoundEntry | undefined {
    const value = values.get(name);
    const target = value && unit.reference(value);
    return target === undefined ? undefined : this.at(target);
  }

  /**
   * Finds an attribute of the entry. Falls back to the entry that it refers to: the function of an inlined call, or
   * the declaration of a definition.
   */
  find(entry: FoundEntry, name: number): FoundValue | undefined {
    let current: FoundEntry | undefined = entry;
    for (let step = 0; current !== undefined && step < LONGEST_CHAIN; step++) {
      const value = current.values.get(name);
      if (value !== undefined) {
        return { unit: current.unit, value };
      }
      current = this.referred(current, attribute.abstractOrigin) ?? this.referred(current, attribute.specification);
    }
    return undefined;
  }

  /** Returns the name of the entry, or of the function or declaration that it refers to. */
  nameOf(entry: FoundEntry): string | undefined {
    const found = unlessDamaged(() => this.find(entry, attribute.name), undefined);
    return found?.unit.string(found.value);
  }

  /**
   * Returns the offset of the entry that the attribute `name` refers to. Looks in the entry and in its function or
   * declaration, as `find` does.
   */
  target(entry: FoundEntry, name: number): number | undefined {
    const found = this.find(entry, name);
    return found?.unit.reference(found.value);
  }
}
