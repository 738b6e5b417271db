/**
 * CBOR (RFC 8949) as serial recovery reads and writes it: numbers, bytes, texts, lists, maps with texts as keys, true, false, null.
 * What it writes has lists and maps without a length, as zcbor does where nobody asks for canonical encoding.
 */
import { joined } from '../../byte-fields.ts';

export type CborValue = number | boolean | null | string | Uint8Array | readonly CborValue[] | CborMap;
export interface CborMap {
  readonly [key: string]: CborValue;
}

const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6, simple: 7 } as const;
const indefinite = 31;
const breakByte = 0xff;
const simple = { false: 20, true: 21, null: 22, undefined: 23 } as const;
const deepest = 8;

export function writeCbor(value: CborValue): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') {
    return value < 0 ? head(major.negative, -1 - value) : head(major.unsigned, value);
  }
  if (typeof value === 'boolean' || value === null) {
    return Uint8Array.of((major.simple << 5) | (value === null ? simple.null : value ? simple.true : simple.false));
  }
  if (typeof value === 'string') {
    const bytes = new TextEncoder().encode(value);
    return joined(head(major.text, bytes.length), bytes);
  }
  if (value instanceof Uint8Array) {
    return joined(head(major.bytes, value.length), value);
  }
  const [kind, parts] = Array.isArray(value)
    ? [major.list, value.map(writeCbor)]
    : [major.map, Object.entries(value).flatMap(([key, item]) => [writeCbor(key), writeCbor(item)])];
  return joined(Uint8Array.of((kind << 5) | indefinite), ...parts, Uint8Array.of(breakByte));
}

/** The first item of `bytes`; undefined when there is none, or one that is not of the kinds above. What follows is not looked at. */
export function readCbor(bytes: Uint8Array): CborValue | undefined {
  return new CborReader(bytes).item(0);
}

export function isCborMap(value: CborValue | undefined): value is CborMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function head(kind: number, value: number): Uint8Array<ArrayBuffer> {
  const first = kind << 5;
  if (value < 24) {
    return Uint8Array.of(first | value);
  }
  const size = value < 0x100 ? 1 : value < 0x10000 ? 2 : 4;
  const bytes = new Uint8Array(1 + size);
  bytes[0] = first | (24 + Math.log2(size));
  let rest = value;
  for (let at = size; at > 0; at--) {
    bytes[at] = rest % 0x100;
    rest = Math.floor(rest / 0x100);
  }
  return bytes;
}

class CborReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  item(depth: number): CborValue | undefined {
    const first = this.#bytes[this.#at++];
    if (first === undefined || depth > deepest) {
      return undefined;
    }
    const kind = first >> 5;
    const low = first & 0x1f;
    if (kind === major.simple) {
      return simpleValue(low);
    }
    if (low === indefinite) {
      return kind === major.list || kind === major.map ? this.#container(kind, null, depth) : undefined;
    }
    const value = this.#number(low);
    if (value === undefined) {
      return undefined;
    }
    switch (kind) {
      case major.unsigned:
        return value;
      case major.negative:
        return -1 - value;
      case major.bytes:
        return this.#take(value);
      case major.text: {
        const text = this.#take(value);
        return text && new TextDecoder().decode(text);
      }
      case major.tag:
        return this.item(depth + 1);
      default:
        return this.#container(kind, value, depth);
    }
  }

  /** Up to `count` entries; with null up to the break. */
  #container(kind: number, count: number | null, depth: number): CborValue | undefined {
    const list: CborValue[] = [];
    const map: Record<string, CborValue> = {};
    for (let index = 0; count === null ? this.#bytes[this.#at] !== breakByte : index < count; index++) {
      const key = kind === major.map ? this.item(depth + 1) : '';
      const value = this.item(depth + 1);
      if (value === undefined || typeof key !== 'string') {
        return undefined;
      }
      if (kind === major.map) {
        map[key] = value;
      } else {
        list.push(value);
      }
    }
    this.#at += count === null ? 1 : 0;
    return kind === major.map ? map : list;
  }

  #number(low: number): number | undefined {
    if (low < 24) {
      return low;
    }
    const bytes = low <= 27 ? this.#take(1 << (low - 24)) : undefined;
    return bytes?.reduce((value, byte) => value * 0x100 + byte, 0);
  }

  #take(length: number): Uint8Array | undefined {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      return undefined;
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function simpleValue(low: number): CborValue | undefined {
  switch (low) {
    case simple.false:
      return false;
    case simple.true:
      return true;
    case simple.null:
    case simple.undefined:
      return null;
    default:
      return undefined;
  }
}
