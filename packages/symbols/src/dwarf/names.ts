/**
 * What a function is called: its linkage name, else its name, followed through the entries that an inlined call or a
 * definition refers to, in this unit or another one, as LLVM's `getSubroutineName` does.
 */
import { lastAtMost } from '../lookup/search.ts';
import { attribute } from './constants.ts';
import { unlessDamaged } from './damage.ts';
import { entryAt } from './entries.ts';
import type { Unit } from './unit.ts';

/** Entries that refer to each other in a circle are damage. */
const LONGEST_CHAIN = 16;

interface Names {
  readonly linkage?: string | undefined;
  readonly plain?: string | undefined;
}

export class NameReader {
  readonly #starts: readonly number[];
  readonly #unitAt: (index: number) => Unit | undefined;
  readonly #known = new Map<number, Names>();

  /** @param starts offsets of all units, ascending. @param unitAt the unit of that number, undefined when damaged. */
  constructor(starts: readonly number[], unitAt: (index: number) => Unit | undefined) {
    this.#starts = starts;
    this.#unitAt = unitAt;
  }

  /** @param entry offset in `.debug_info`. Undefined when nobody named it. */
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
