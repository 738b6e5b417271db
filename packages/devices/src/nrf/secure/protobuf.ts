/** Encodes and decodes the fields of Protocol Buffers messages ("Encoding", protobuf.dev). */
import { joined } from '../../byte-fields.ts';

const wireVarint = 0;
const wireFixed64 = 1;
const wireBytes = 2;
const wireFixed32 = 5;

/** A field: a number (the lower 32 bits of a varint) or bytes. */
export interface ProtobufField {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** Returns the fields of a message in order, without fields of fixed size. Null for a malformed message. */
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

/** Returns the varints of a packed field. Null for malformed bytes. */
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

/** Encodes one field. */
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

/** Reads a message from its start. All methods return null if the message ends too early. */
class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Reads a varint of at most ten bytes, and returns its lowest 32 bits. */
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

  /** Skips a field of fixed size. */
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
