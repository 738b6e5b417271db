/**
 * Formats values like GDB: `{x = 1, y = 2}`, `0x3c0203b8 "text"`, `RED`. Long or deeply nested values are cut off
 * with `...`. Unknown parts are replaced by their reason. All sizes are limited, because the memory of a damaged
 * stack may hold anything.
 */
import { baseEncoding } from '../dwarf/constants.ts';
import { unlessDamaged } from '../dwarf/damage.ts';
import type { DynamicCount, Member, Type, TypeReader, TypeReference } from '../dwarf/types.ts';
import type { Unknown } from '../unwind/expression.ts';
import { baseText, isCharacter, quoted } from './base-text.ts';
import { type Storage, within } from './storage.ts';

export const unknownText = {
  optimised: 'optimised away',
  register: 'in a register that is not known any more',
  memory: 'not in the dump',
  'entry-value': 'in a register when the function was called, not known any more',
  pointer: 'points to something that is optimised away',
  operation: 'described in a way that Wirebench does not know',
  damaged: 'its debug information is damaged',
} satisfies Record<Unknown, string>;

export interface ValueContext {
  readonly types: TypeReader;
  /** Returns the memory from an address on. */
  readonly at: (address: number) => Storage;
  /** Returns the function or variable at an address, such as `buffer+4`. */
  readonly symbolAt: (address: number) => string | undefined;
  /** Returns the element count of a dimension; null if unknown. */
  readonly count: (dimension: DynamicCount) => number | null;
}

/** Limits of one variable's text. */
const MAX_PARTS = 400;
const MAX_CHARACTERS = 4_000;
const MAX_ELEMENTS = 200;
const MAX_DEPTH = 8;
/** Maximum number of bytes of a text behind a pointer. */
const MAX_TEXT = 200;

/**
 * Returns the size of a value in bytes; null if unknown, for example for an array of unknown length.
 * @throws RangeError if the type is damaged.
 */
export function sizeOf(context: ValueContext, reference: TypeReference): number | null {
  const type = context.types.plain(reference);
  switch (type?.kind) {
    case 'base':
    case 'pointer':
    case 'structure':
    case 'enumeration':
      return type.size;
    case 'array': {
      const element = sizeOf(context, type.element);
      return counted(context, type).reduce(
        (size, count) => (size === null || count === null ? null : size * count),
        element,
      );
    }
    default:
      return null;
  }
}

/**
 * Formats the value in `storage`.
 * @throws RangeError if the type is damaged.
 */
export function valueText(context: ValueContext, reference: TypeReference, storage: Storage): string {
  return new Writer(context).text(reference, storage, 0);
}

/** Returns the element counts of the dimensions; null for an unknown count. */
function counted({ count }: ValueContext, { counts }: Extract<Type, { kind: 'array' }>): (number | null)[] {
  return counts.map((one) => (typeof one === 'number' || one === null ? one : count(one)));
}

const said = (why: Unknown) => `<${unknownText[why]}>`;

class Writer {
  readonly #context: ValueContext;
  #parts = 0;
  #characters = 0;

  constructor(context: ValueContext) {
    this.#context = context;
  }

  text(reference: TypeReference, storage: Storage, depth: number): string {
    this.#parts++;
    const type = this.#context.types.plain(reference);
    const text = unlessDamaged(() => this.#typed(type, storage, depth), said('damaged'));
    this.#characters += text.length;
    return text;
  }

  get #isFull(): boolean {
    return this.#parts >= MAX_PARTS || this.#characters >= MAX_CHARACTERS;
  }

  #typed(type: Type | null, storage: Storage, depth: number): string {
    switch (type?.kind) {
      case 'base': {
        const bytes = storage.read(0, type.size);
        return typeof bytes === 'string' ? said(bytes) : (baseText(type, bytes) ?? said('operation'));
      }
      case 'enumeration': {
        const bytes = storage.read(0, type.size);
        return typeof bytes === 'string' ? said(bytes) : enumerationText(type, bytes);
      }
      case 'pointer':
        return this.#pointer(type, storage, depth);
      case 'structure':
        return depth >= MAX_DEPTH ? '{...}' : this.#structure(type.members, storage, depth);
      case 'array':
        return depth >= MAX_DEPTH ? '{...}' : this.#array(type.element, counted(this.#context, type), storage, depth);
      default:
        return said('operation');
    }
  }

  #pointer(type: Extract<Type, { kind: 'pointer' }>, storage: Storage, depth: number): string {
    const bytes = storage.read(0, type.size);
    if (typeof bytes === 'string') {
      return said(bytes);
    }
    const address = Number(numberOf(bytes, false));
    const shown = `0x${address.toString(16)}`;
    const memory = this.#context.at(address);
    if (type.mark !== '*') {
      return `@${shown}: ${depth >= MAX_DEPTH ? '...' : this.text(type.target, memory, depth + 1)}`;
    }
    const target = this.#context.types.plain(type.target);
    const symbol = this.#context.symbolAt(address);
    const named = symbol === undefined ? shown : `${shown} <${symbol}>`;
    return target?.kind === 'base' && isCharacter(target) && address !== 0 ? `${named} ${pointedText(memory)}` : named;
  }

  #structure(members: readonly Member[], storage: Storage, depth: number): string {
    const parts: string[] = [];
    for (const { name, type, offset, bits, isBase } of members) {
      if (this.#isFull) {
        parts.push('...');
        break;
      }
      const value =
        bits === null
          ? this.text(type, within(storage, offset), depth + 1)
          : this.#bits(type, storage, { offset, ...bits });
      const shown = isBase ? `<${this.#nameOf(type)}>` : name;
      parts.push(shown === null ? value : `${shown} = ${value}`);
    }
    return `{${parts.join(', ')}}`;
  }

  #nameOf(reference: TypeReference): string {
    const type = this.#context.types.plain(reference);
    return type !== null && 'name' in type ? type.name : '?';
  }

  #bits(
    reference: TypeReference,
    storage: Storage,
    { offset, from, size }: { offset: number; from: number; size: number },
  ): string {
    this.#parts++;
    const bytes = storage.read(offset, Math.ceil((from + size) / 8));
    if (typeof bytes === 'string') {
      return said(bytes);
    }
    const type = this.#context.types.plain(reference);
    if (type?.kind !== 'base' && type?.kind !== 'enumeration') {
      return said('operation');
    }
    const field = BigInt.asUintN(size, numberOf(bytes, false) >> BigInt(from));
    const isSigned = type.kind === 'base' && isSignedBase(type);
    const value = isSigned ? BigInt.asIntN(size, field) : field;
    const whole = new Uint8Array(8);
    new DataView(whole.buffer).setBigInt64(0, value, true);
    const shown = whole.subarray(0, type.size);
    return type.kind === 'base' ? (baseText(type, shown) ?? said('operation')) : enumerationText(type, shown);
  }

  #array(element: TypeReference, counts: readonly (number | null)[], storage: Storage, depth: number): string {
    const [count = null, ...inner] = counts;
    const size = inner.reduce<number | null>(
      (product, one) => (product === null || one === null ? null : product * one),
      sizeOf(this.#context, element),
    );
    if (count === null || size === null) {
      return '{...}';
    }
    const type = inner.length === 0 ? this.#context.types.plain(element) : null;
    if (type?.kind === 'base' && isCharacter(type)) {
      return characters(storage, count);
    }
    const parts: string[] = [];
    for (let index = 0; index < count; index++) {
      if (this.#isFull || index === MAX_ELEMENTS || size === 0) {
        parts.push('...');
        break;
      }
      const part = within(storage, index * size);
      parts.push(
        inner.length === 0 ? this.text(element, part, depth + 1) : this.#array(element, inner, part, depth + 1),
      );
    }
    return `{${parts.join(', ')}}`;
  }
}

/** @param bytes little-endian, at most 8 */
function numberOf(bytes: Uint8Array, signed: boolean): bigint {
  const value = bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return signed ? BigInt.asIntN(8 * bytes.length, value) : value;
}

const isSignedBase = ({ encoding }: Extract<Type, { kind: 'base' }>) =>
  encoding === baseEncoding.signed || encoding === baseEncoding.signedChar;

function enumerationText({ name, isClass, values }: Extract<Type, { kind: 'enumeration' }>, bytes: Uint8Array): string {
  const number = Number(numberOf(bytes, false));
  const signed = Number(numberOf(bytes, true));
  const exact = values.get(number) ?? values.get(signed);
  if (exact !== undefined) {
    return isClass ? `${name}::${exact}` : exact;
  }
  // Flags: every name has one bit.
  const isFlags = [...values.keys()].every((value) => value >= 0 && (value & (value - 1)) === 0);
  const set = isFlags ? [...values].filter(([value]) => value !== 0 && (number & value) !== 0) : [];
  if (set.length === 0) {
    return `${isFlags && number !== 0 ? `(unknown: 0x${number.toString(16)})` : signed}`;
  }
  const rest = set.reduce((left, [value]) => left & ~value, number) >>> 0;
  return `(${[...set.map(([, flag]) => flag), ...(rest === 0 ? [] : [`unknown: 0x${rest.toString(16)}`])].join(' | ')})`;
}

/**
 * Formats an array of characters. Like GDB, omits one zero at its end, the terminator, and shows all others, which
 * may be the error.
 */
function characters(storage: Storage, count: number): string {
  const last = storage.read(count - 1, 1);
  const length = typeof last !== 'string' && last[0] === 0 ? count - 1 : count;
  const bytes = storage.read(0, Math.min(length, MAX_ELEMENTS));
  return typeof bytes === 'string' ? said(bytes) : `${quoted(bytes)}${length > MAX_ELEMENTS ? '...' : ''}`;
}

function pointedText(memory: Storage): string {
  // Retries with smaller sizes, because the text may be at the end of the dumped memory.
  for (let size = MAX_TEXT; size >= 1; size = size > 16 ? Math.floor(size / 2) : size - 1) {
    const bytes = memory.read(0, size);
    if (typeof bytes !== 'string') {
      const end = bytes.indexOf(0);
      return end < 0 ? `${quoted(bytes)}...` : quoted(bytes.subarray(0, end));
    }
  }
  return said('memory');
}
