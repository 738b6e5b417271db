/** Protocol Buffers as they are on the wire ("Encoding", protobuf.dev): fields of a message, read and written. */
import { joined } from '../../byte-fields.ts';

const wireVarint = 0;
const wireFixed64 = 1;
const wireBytes = 2;
const wireFixed32 = 5;

/** A field: a number (the lower 32 bits of a varint), or bytes. */
export interface ProtobufField {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** The fields of a message in their order; fields of fixed size are passed over. Null when it is none. */
export function readFields(message: Uint8Array): ProtobufField[] | null {
  const fields: ProtobufField[] = [];
  const reader = new VarintReader(message);
  while (!reader.atEnd) {
    const key = reader.varint();
    const wire = key === null ? null : key & 7;
    if (key === null || key >>> 3 === 0) {
      return null;
    }
    const value = wire === wireVarint ? reader.varint() : wire === wireBytes ? reader.bytes() : reader.skip(wire);
    if (value === null) {
      return null;
    }
    if (wire === wireVarint || wire === wireBytes) {
      fields.push({ number: key >>> 3, value });
    }
  }
  return fields;
}

/** The varints that are one after another in `bytes`, as a packed field has them. Null when they do not. */
export function readPacked(bytes: Uint8Array): number[] | null {
  const numbers: number[] = [];
  const reader = new VarintReader(bytes);
  while (!reader.atEnd) {
    const value = reader.varint();
    if (value === null) {
      return null;
    }
    numbers.push(value);
  }
  return numbers;
}

/** One field on the wire. */
export function writeField(number: number, value: number | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof value === 'number'
    ? joined(varint(number << 3), varint(value))
    : joined(varint((number << 3) | wireBytes), varint(value.length), value);
}

export function varint(value: number): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Uint8Array.of(...bytes, rest);
}

/** Everything gives null where the message ends too early. */
class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** At most ten bytes, of which 32 bits count. */
  varint(): number | null {
    let value = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) {
        return null;
      }
      if (index < 5) {
        value |= (byte & 0x7f) << (index * 7);
      }
      if (byte < 0x80) {
        return value >>> 0;
      }
    }
    return null;
  }

  bytes(): Uint8Array | null {
    const length = this.varint();
    return length === null ? null : this.#take(length);
  }

  /** Passes over a field of fixed size. */
  skip(wire: number | null): Uint8Array | null {
    return wire === wireFixed32 ? this.#take(4) : wire === wireFixed64 ? this.#take(8) : null;
  }

  #take(length: number): Uint8Array | null {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      return null;
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
