/**
 * CBOR (RFC 8949) as used by SMP: whole numbers, texts, bytes, booleans, lists, and maps with text keys. Reads
 * definite and indefinite lengths; writes the shortest form.
 */
import { joined } from '@wirebench/port/bytes';

export type CborValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<string, CborValue>;
export type CborMap = ReadonlyMap<string, CborValue>;

/** Major types (section 3.1). */
const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5, tag: 6, simple: 7 } as const;
/** Additional information (section 3): an argument of 1, 2, 4 or 8 bytes follows, or the length is indefinite. */
const FIRST_ARGUMENT = 24;
const LONGEST_ARGUMENT = 27;
const INDEFINITE = 31;
const BREAK = 0xff;
const simple = { false: 20, true: 21, null: 22, undefined: 23 } as const;
/** Deepest nesting that is read. Answers have at most four levels. */
const DEEPEST = 16;

/**
 * Encodes a value.
 *
 * @throws RangeError for a number that is not an integer, or beyond 2⁵³.
 */
export function encodeCbor(value: CborValue): Uint8Array {
  const bytes: number[] = [];
  write(value, bytes);
  return Uint8Array.from(bytes);
}

function write(value: CborValue, to: number[]): void {
  if (typeof value === 'number') {
    writeHead(value < 0 ? major.negative : major.unsigned, value < 0 ? -1 - value : value, to);
  } else if (typeof value === 'string') {
    const text = new TextEncoder().encode(value);
    writeHead(major.text, text.length, to);
    to.push(...text);
  } else if (typeof value === 'boolean' || value === null) {
    to.push((major.simple << 5) | simple[`${value}`]);
  } else if (value instanceof Uint8Array) {
    writeHead(major.bytes, value.length, to);
    for (const byte of value) {
      to.push(byte);
    }
  } else if (isMap(value)) {
    writeHead(major.map, value.size, to);
    for (const [key, entry] of value) {
      write(key, to);
      write(entry, to);
    }
  } else {
    writeHead(major.list, value.length, to);
    for (const entry of value) {
      write(entry, to);
    }
  }
}

function writeHead(type: number, argument: number, to: number[]): void {
  if (!Number.isSafeInteger(argument)) {
    throw new RangeError('CBOR: a whole number below 2⁵³ is needed.');
  }
  const size =
    argument < FIRST_ARGUMENT ? 0 : argument < 0x100 ? 1 : argument < 0x1_0000 ? 2 : argument < 2 ** 32 ? 4 : 8;
  to.push((type << 5) | (size === 0 ? argument : FIRST_ARGUMENT + Math.log2(size)));
  for (let index = size - 1; index >= 0; index--) {
    to.push(Math.floor(argument / 2 ** (8 * index)) % 0x100);
  }
}

function isMap(value: CborValue): value is CborMap {
  return value instanceof Map;
}

/** Decodes the first value. Returns null if the bytes are invalid or incomplete. */
export function decodeCbor(bytes: Uint8Array): CborValue | null {
  try {
    return new Reader(bytes).value(0);
  } catch (error) {
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}

/**
 * Reads bytes in one pass.
 *
 * @throws RangeError for every fault.
 */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(depth: number): CborValue {
    if (depth > DEEPEST) {
      throw new RangeError('CBOR: too deep.');
    }
    const head = this.#byte();
    const type = head >> 5;
    const argument = this.#argument(head & 0x1f);
    switch (type) {
      case major.unsigned:
        return definite(argument);
      case major.negative:
        return -1 - definite(argument);
      case major.bytes:
        return joined(...this.#pieces(argument, major.bytes));
      case major.text:
        return new TextDecoder().decode(joined(...this.#pieces(argument, major.text)));
      case major.list:
        return this.#entries(argument, () => this.value(depth + 1));
      case major.map:
        return new Map(this.#entries(argument, () => [this.#key(depth), this.value(depth + 1)] as const));
      case major.tag:
        return this.value(depth + 1);
      default:
        return simpleValue(head & 0x1f);
    }
  }

  #key(depth: number): string {
    const key = this.value(depth + 1);
    if (typeof key !== 'string') {
      throw new RangeError('CBOR: a key that is not text.');
    }
    return key;
  }

  /** Reads an argument; null means indefinite. For floating point numbers this skips the bytes. */
  #argument(information: number): number | null {
    if (information < FIRST_ARGUMENT) {
      return information;
    }
    if (information === INDEFINITE) {
      return null;
    }
    if (information > LONGEST_ARGUMENT) {
      throw new RangeError('CBOR: a reserved length.');
    }
    let value = 0;
    for (let left = 2 ** (information - FIRST_ARGUMENT); left > 0; left--) {
      value = value * 0x100 + this.#byte();
    }
    return value;
  }

  #pieces(length: number | null, type: number): Uint8Array[] {
    if (length !== null) {
      return [this.#take(length)];
    }
    return this.#entries(null, () => {
      const head = this.#byte();
      if (head >> 5 !== type) {
        throw new RangeError('CBOR: a piece of another type.');
      }
      return this.#take(definite(this.#argument(head & 0x1f)));
    });
  }

  #entries<Entry>(count: number | null, next: () => Entry): Entry[] {
    const entries: Entry[] = [];
    while (count === null ? this.#bytes[this.#at] !== BREAK : entries.length < count) {
      entries.push(next());
    }
    if (count === null) {
      this.#at++;
    }
    return entries;
  }

  #take(length: number): Uint8Array {
    const start = this.#at;
    if (start + length > this.#bytes.length) {
      throw new RangeError('CBOR: ends too early.');
    }
    this.#at += length;
    return this.#bytes.slice(start, start + length);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) {
      throw new RangeError('CBOR: ends too early.');
    }
    return byte;
  }
}

function definite(argument: number | null): number {
  if (argument === null || !Number.isSafeInteger(argument)) {
    throw new RangeError('CBOR: no number that fits.');
  }
  return argument;
}

/** Returns null for values that SMP does not use, such as floating point numbers. */
function simpleValue(information: number): boolean | null {
  return information === simple.true ? true : information === simple.false ? false : null;
}
