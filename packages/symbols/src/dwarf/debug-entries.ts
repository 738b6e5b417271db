/** Entries of `.debug_info` by their offset, in whichever unit they are; what an entry leaves to the one that it refers to is looked up there. */
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

/** A value, and the unit by which it is to be read. */
export interface FoundValue {
  readonly unit: Unit;
  readonly value: RawValue;
}

/** Entries that refer to each other in a circle are damage. */
const LONGEST_CHAIN = 16;
/** Right inside of one entry: more are damage. */
const MOST_CHILDREN = 50_000;

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

  /** Throws a `RangeError` when the unit is damaged. */
  unit(header: UnitHeader): Unit {
    const known = this.#units.get(header) ?? this.#reader.read(header);
    this.#units.set(header, known);
    return known;
  }

  /** Throws a `RangeError` when there is no such entry, or its unit is damaged. */
  at(offset: number): FoundEntry {
    const header = this.headers[lastAtMost(this.#starts, offset, 0, this.#starts.length)];
    if (header === undefined || offset >= header.end) {
      throw new RangeError(`No unit has an entry at ${offset}`);
    }
    const unit = this.unit(header);
    return { unit, offset, ...entryAt(unit, offset) };
  }

  /** The entries right inside of one. Throws a `RangeError` when the unit is damaged. */
  childrenOf({ unit, offset }: FoundEntry): FoundEntry[] {
    const children: FoundEntry[] = [];
    walkEntries(unit, offset, {
      enter: (entry) => {
        if (entry.depth === 0) {
          return 'into';
        }
        if (children.length === MOST_CHILDREN) {
          throw new RangeError('Too many entries');
        }
        children.push({ unit, offset: entry.offset, tag: entry.tag, values: entry.values() });
        return 'over';
      },
    });
    return children;
  }

  /** The entry that an attribute refers to; undefined when it does not, or refers to another file. */
  referred({ unit, values }: FoundEntry, name: number): FoundEntry | undefined {
    const value = values.get(name);
    const target = value && unit.reference(value);
    return target === undefined ? undefined : this.at(target);
  }

  /** An attribute of the entry, or else of the one that it stands for: of an inlined call its function, of a definition its declaration. */
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

  /** What the entry, or the one that it stands for, is called. */
  nameOf(entry: FoundEntry): string | undefined {
    const found = unlessDamaged(() => this.find(entry, attribute.name), undefined);
    return found?.unit.string(found.value);
  }

  /** Offset of the entry that an attribute refers to, its own or that of the one that it stands for. */
  target(entry: FoundEntry, name: number): number | undefined {
    const found = this.find(entry, name);
    return found?.unit.reference(found.value);
  }
}
