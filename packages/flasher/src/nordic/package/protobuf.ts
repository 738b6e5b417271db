/**
 * Reads Protocol Buffers messages (Google, "Encoding"): fields of the two wire types that init packets use, in any
 * order.
 */

const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** Bytes of a 64-bit number, seven bits each. */
const LONGEST_VARINT = 10;

/** Field number → its values in their order: numbers below 2⁵³, or bytes. */
export type ProtobufFields = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

/** Reads a message. Returns null if the bytes are not a complete message of these wire types. */
export function readProtobuf(bytes: Uint8Array): ProtobufFields | null {
  const fields = new Map<number, (number | Uint8Array)[]>();
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    const value = key === null ? null : readValue(bytes, key.next, key.value % 8);
    if (key === null || value === null) {
      return null;
    }
    const number = Math.floor(key.value / 8);
    fields.set(number, [...(fields.get(number) ?? []), value.value]);
    at = value.next;
  }
  return fields;
}

/** Returns the numbers of a field, single or packed. Null if they are invalid. */
export function numbersIn(fields: ProtobufFields, number: number): number[] | null {
  const numbers: number[] = [];
  for (const value of fields.get(number) ?? []) {
    if (typeof value === 'number') {
      numbers.push(value);
      continue;
    }
    for (let at = 0; at < value.length; ) {
      const entry = readVarint(value, at);
      if (entry === null) {
        return null;
      }
      numbers.push(entry.value);
      at = entry.next;
    }
  }
  return numbers;
}

/** Returns the last value of a field, as the encoding requires; null if there is no number. */
export function numberIn(fields: ProtobufFields, number: number): number | null {
  const value = fields.get(number)?.at(-1);
  return typeof value === 'number' ? value : null;
}

export function bytesIn(fields: ProtobufFields, number: number): Uint8Array | null {
  const value = fields.get(number)?.at(-1);
  return value instanceof Uint8Array ? value : null;
}

export function messageIn(fields: ProtobufFields, number: number): ProtobufFields | null {
  const bytes = bytesIn(fields, number);
  return bytes === null ? null : readProtobuf(bytes);
}

interface Read<Value> {
  readonly value: Value;
  readonly next: number;
}

function readValue(bytes: Uint8Array, at: number, wireType: number): Read<number | Uint8Array> | null {
  const first = wireType === VARINT || wireType === LENGTH_DELIMITED ? readVarint(bytes, at) : null;
  if (first === null || wireType === VARINT) {
    return first;
  }
  const next = first.next + first.value;
  return next > bytes.length ? null : { value: bytes.subarray(first.next, next), next };
}

function readVarint(bytes: Uint8Array, at: number): Read<number> | null {
  let value = 0;
  for (let index = 0; index < LONGEST_VARINT; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) {
      return null;
    }
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      return Number.isSafeInteger(value) ? { value, next: at + index + 1 } : null;
    }
  }
  return null;
}
