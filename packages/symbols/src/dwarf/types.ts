/**
 * Reads types of variables (DWARF 5, chapter 5) on request and caches them. Types refer to other types by offset,
 * because they may contain themselves.
 */
import { attribute, baseEncoding, tag } from './constants.ts';
import type { DebugEntries, FoundEntry, FoundValue } from './debug-entries.ts';

/** Offset of the type's entry in `.debug_info`; null is C's `void`. */
export type TypeReference = number | null;

export interface Member {
  /** Null for an anonymous structure or union, whose members belong to the enclosing one. */
  readonly name: string | null;
  readonly type: TypeReference;
  /** Bytes from the start of the structure. */
  readonly offset: number;
  /** Position and size of a bit field in bits, counted from the lowest bit at `offset`; null for other members. */
  readonly bits: { readonly from: number; readonly size: number } | null;
  /** True: the member is a base class. */
  readonly isBase: boolean;
}

/** Attribute that gives the element count of a dimension at run time. The count is its value plus `plus`. */
export interface DynamicCount extends FoundValue {
  readonly plus: 0 | 1;
}

export type Type =
  | { readonly kind: 'base'; readonly name: string; readonly size: number; readonly encoding: number }
  | { readonly kind: 'pointer'; readonly mark: '*' | '&' | '&&'; readonly size: number; readonly target: TypeReference }
  | {
      readonly kind: 'structure';
      /** Empty for an anonymous structure. */
      readonly name: string;
      readonly size: number;
      readonly members: readonly Member[];
    }
  | {
      readonly kind: 'array';
      readonly element: TypeReference;
      /** Element counts of the dimensions; null for an unknown count. */
      readonly counts: readonly (number | DynamicCount | null)[];
    }
  | {
      readonly kind: 'enumeration';
      readonly name: string;
      readonly size: number;
      readonly isClass: boolean;
      readonly values: ReadonlyMap<number, string>;
    }
  | { readonly kind: 'alias'; readonly name: string; readonly target: TypeReference }
  | { readonly kind: 'qualified'; readonly word: string; readonly target: TypeReference }
  | { readonly kind: 'function'; readonly result: TypeReference; readonly parameters: readonly TypeReference[] }
  | { readonly kind: 'other'; readonly name: string };

/** Maximum number of aliases and qualifiers to follow; longer chains are damage. */
const LONGEST_CHAIN = 64;

const pointerMarks: Readonly<Record<number, '*' | '&' | '&&'>> = {
  [tag.pointerType]: '*',
  [tag.referenceType]: '&',
  [tag.rvalueReferenceType]: '&&',
};
const qualifiers: Readonly<Record<number, string>> = {
  [tag.constType]: 'const',
  [tag.volatileType]: 'volatile',
  [tag.restrictType]: 'restrict',
  [tag.atomicType]: '_Atomic',
};

export class TypeReader {
  readonly #entries: DebugEntries;
  readonly #known = new Map<number, Type>();

  constructor(entries: DebugEntries) {
    this.#entries = entries;
  }

  /**
   * Returns the type at an offset in `.debug_info`.
   * @throws RangeError if the entry is damaged.
   */
  read(reference: number): Type {
    const type = this.#known.get(reference) ?? this.#typeOf(this.#entries.at(reference));
    this.#known.set(reference, type);
    return type;
  }

  /**
   * Returns the type without aliases and qualifiers; null for `void`.
   * @throws RangeError if the type is damaged.
   */
  plain(reference: TypeReference): Type | null {
    let at = reference;
    for (let step = 0; at !== null && step < LONGEST_CHAIN; step++) {
      const type = this.read(at);
      if (type.kind !== 'alias' && type.kind !== 'qualified') {
        return type;
      }
      at = type.target;
    }
    if (at !== null) {
      throw new RangeError('A type without an end');
    }
    return null;
  }

  #typeOf(entry: FoundEntry): Type {
    const { unit, tag: kind, values } = entry;
    const name = this.#entries.nameOf(entry) ?? '';
    const size = values.get(attribute.byteSize)?.number ?? 0;
    const target = this.#target(entry);
    const mark = pointerMarks[kind];
    if (mark !== undefined) {
      return { kind: 'pointer', mark, size: size || unit.header.addressSize, target };
    }
    const word = qualifiers[kind];
    if (word !== undefined) {
      return { kind: 'qualified', word, target };
    }
    switch (kind) {
      case tag.baseType: {
        const encoding = values.get(attribute.encoding)?.number ?? baseEncoding.unsigned;
        return { kind: 'base', name, size, encoding };
      }
      case tag.typedef:
        return { kind: 'alias', name, target };
      case tag.structureType:
      case tag.classType:
      case tag.unionType: {
        const keyword = kind === tag.unionType ? 'union ' : 'struct ';
        const shown = name === '' ? `${keyword}{…}` : unit.isC ? `${keyword}${name}` : name;
        return { kind: 'structure', name: shown, size, members: this.#members(entry) };
      }
      case tag.arrayType:
        return { kind: 'array', element: target, counts: this.#counts(entry) };
      case tag.enumerationType:
        return {
          kind: 'enumeration',
          name: name === '' ? 'enum {…}' : unit.isC ? `enum ${name}` : name,
          size,
          isClass: values.has(attribute.enumClass),
          values: this.#enumerators(entry),
        };
      case tag.subroutineType: {
        const parameters = this.#entries.childrenOf(entry).filter((child) => child.tag === tag.formalParameter);
        return { kind: 'function', result: target, parameters: parameters.map((child) => this.#target(child)) };
      }
      default:
        return { kind: 'other', name: name || 'a type that Wirebench does not know' };
    }
  }

  #target(entry: FoundEntry): TypeReference {
    return this.#entries.target(entry, attribute.type) ?? null;
  }

  #members(entry: FoundEntry): Member[] {
    return this.#entries.childrenOf(entry).flatMap((child): Member[] => {
      const { values } = child;
      const isBase = child.tag === tag.inheritance;
      // Skips declarations, which are static members. A member without a location begins at offset 0, as all members
      // of a union do.
      if ((child.tag !== tag.member && !isBase) || values.has(attribute.declaration)) {
        return [];
      }
      const place = values.get(attribute.dataMemberLocation);
      if (place?.length !== undefined) {
        // Skips locations given by an expression: DWARF 2, or a virtual base class, whose offset is only known at run
        // time.
        return [];
      }
      const at = place?.number ?? 0;
      const bits = bitsOf(child, at);
      return [
        {
          name: child.unit.string(values.get(attribute.name)) ?? null,
          type: this.#target(child),
          offset: bits === null ? at : bits.offset,
          bits: bits === null ? null : { from: bits.from, size: bits.size },
          isBase,
        },
      ];
    });
  }

  #counts(entry: FoundEntry): (number | DynamicCount | null)[] {
    return this.#entries
      .childrenOf(entry)
      .filter((child) => child.tag === tag.subrangeType)
      .map(({ unit, values }) => {
        const count = values.get(attribute.count);
        const upper = values.get(attribute.upperBound);
        const value = count ?? upper;
        if (value === undefined) {
          return null;
        }
        const plus = count === undefined ? 1 : 0;
        const isConstant = value.length === undefined && unit.reference(value) === undefined;
        return isConstant ? Math.max(0, value.number + plus) : { unit, value, plus };
      });
  }

  #enumerators(entry: FoundEntry): Map<number, string> {
    const found = new Map<number, string>();
    for (const child of this.#entries.childrenOf(entry)) {
      const number = child.values.get(attribute.constValue)?.number;
      const name = child.unit.string(child.values.get(attribute.name));
      // Keeps the first of several names for one number, like GDB.
      if (child.tag === tag.enumerator && number !== undefined && name !== undefined && !found.has(number)) {
        found.set(number, name);
      }
    }
    return found;
  }
}

/**
 * Returns the position of a bit field (DWARF 5, section 5.7.6); null for other members. Also reads the older form
 * (DWARF 3, section 5.6.6), which counts from the highest bit of the storage.
 */
function bitsOf({ values }: FoundEntry, at: number): { offset: number; from: number; size: number } | null {
  const size = values.get(attribute.bitSize)?.number;
  if (size === undefined) {
    return null;
  }
  const old = values.get(attribute.bitOffset)?.number;
  const storage = values.get(attribute.byteSize)?.number ?? 4;
  const first = old === undefined ? (values.get(attribute.dataBitOffset)?.number ?? 0) : storage * 8 - old - size;
  const bit = at * 8 + first;
  return { offset: Math.floor(bit / 8), from: bit % 8, size };
}
