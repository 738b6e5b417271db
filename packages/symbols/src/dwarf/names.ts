/**
 * Reads the names of functions: the linkage name, or else the plain name. Follows the references of inlined calls and
 * definitions within the unit and to other units, like LLVM's `getSubroutineName`.
 */
import { lastAtMost } from '../lookup/search.ts';
import { attribute } from './constants.ts';
import { unlessDamaged } from './damage.ts';
import { entryAt } from './entries.ts';
import type { Unit } from './unit.ts';

/** Maximum number of references to follow; entries that refer to each other in a circle are damaged. */
const LONGEST_CHAIN = 16;

interface Names {
  readonly linkage?: string | undefined;
  readonly plain?: string | undefined;
}

export class NameReader {
  readonly #starts: readonly number[];
  readonly #unitAt: (index: number) => Unit | undefined;
  readonly #known = new Map<number, Names>();

  /**
   * @param starts offsets of all units, ascending
   * @param unitAt returns the unit with this index, undefined if it is damaged
   */
  constructor(starts: readonly number[], unitAt: (index: number) => Unit | undefined) {
    this.#starts = starts;
    this.#unitAt = unitAt;
  }

  /**
   * Returns the linkage name, or else the plain name; undefined if the entry has neither.
   * @param entry offset in `.debug_info`
   */
  nameOf(entry: number): string | undefined {
    const { linkage, plain } = this.#read(entry, 0);
    return linkage ?? plain;
  }

  #read(entry: number, depth: number): Names {
    const known = this.#known.get(entry);
    if (known !== undefined || depth > LONGEST_CHAIN) {
      return known ?? {};
    }
    const names = unlessDamaged(() => this.#readEntry(entry, depth), {});
    this.#known.set(entry, names);
    return names;
  }

  #readEntry(entry: number, depth: number): Names {
    const unit = this.#unitAt(lastAtMost(this.#starts, entry, 0, this.#starts.length));
    if (unit === undefined || entry >= unit.header.end) {
      return {};
    }
    const { values } = entryAt(unit, entry, naming);
    const linkage = values.get(attribute.linkageName) ?? values.get(attribute.mipsLinkageName);
    let names: Names = { linkage: unit.string(linkage), plain: unit.string(values.get(attribute.name)) };
    for (const value of [values.get(attribute.abstractOrigin), values.get(attribute.specification)]) {
      const target = value && unit.reference(value);
      if (names.linkage === undefined && target !== undefined) {
        const further = this.#read(target, depth + 1);
        names = { linkage: further.linkage, plain: names.plain ?? further.plain };
      }
    }
    return names;
  }
}

const naming = new Set<number>([
  attribute.linkageName,
  attribute.mipsLinkageName,
  attribute.name,
  attribute.abstractOrigin,
  attribute.specification,
]);
