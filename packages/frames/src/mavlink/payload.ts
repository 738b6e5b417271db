/** Values of the fields of a MAVLink payload. Numbers are little-endian. */
import type { NumberType } from '@wirebench/contract/decoders';
import type { DecodedField, FieldValue } from '../frame-types.ts';
import { numberReader } from '../numbers.ts';
import type { MavlinkEnum, MavlinkField, MavlinkMessage, MavlinkType } from './definitions.ts';
import type { MavlinkHeader } from './frame.ts';

/** A field, or an element of an array, prepared. Arrays of char are text, arrays of uint8_t bytes. */
interface PayloadField {
  readonly name: string;
  readonly isExtension: boolean;
  /** First byte in the payload, and the byte behind the last. */
  readonly from: number;
  readonly to: number;
  readonly read: (payload: Uint8Array, at: number) => FieldValue;
  readonly nameOf: ((value: FieldValue) => string | undefined) | null;
  readonly unit: string;
}

const numberTypes: Readonly<Record<Exclude<MavlinkType, 'char'>, NumberType>> = {
  int8_t: 'i8',
  uint8_t: 'u8',
  int16_t: 'i16',
  uint16_t: 'u16',
  int32_t: 'i32',
  uint32_t: 'u32',
  int64_t: 'i64',
  uint64_t: 'u64',
  float: 'f32',
  double: 'f64',
};

const prepared = new WeakMap<MavlinkMessage, readonly PayloadField[]>();

function fieldsOf(message: MavlinkMessage, taken: ReadonlySet<string>): readonly PayloadField[] {
  let fields = prepared.get(message);
  if (fields === undefined) {
    fields = message.fields.flatMap((field) => prepareField(field, taken));
    prepared.set(message, fields);
  }
  return fields;
}

function prepareField(field: MavlinkField, taken: ReadonlySet<string>): PayloadField[] {
  const { type, size, count, offset, unit, isExtension } = field;
  const name = taken.has(field.name) ? `payload.${field.name}` : field.name;
  const whole = { name, isExtension, from: offset, to: offset + size * (count ?? 1), unit, nameOf: null };
  if (type === 'char') {
    return [{ ...whole, read: (payload, at) => decodeText(payload, at, at + (count ?? 1)) }];
  }
  if (count !== null && type === 'uint8_t') {
    return [{ ...whole, read: (payload, at) => new Uint8Array(payload.subarray(at, at + count)) }];
  }
  const read = numberReader(numberTypes[type], 'little');
  const nameOf = field.names === null ? null : namer(field.names, field.isBitmask);
  return Array.from({ length: count ?? 1 }, (_, index) => {
    const from = offset + index * size;
    return { ...whole, name: count === null ? name : `${name}.${index}`, from, to: from + size, read, nameOf };
  });
}

/**
 * Reads the fields of a payload.
 *
 * @param frame A whole frame whose checksum is right.
 * @param taken Names that other fields of the frame have. It is the same set in each call.
 */
export function readPayload(
  frame: Uint8Array,
  header: MavlinkHeader,
  message: MavlinkMessage,
  taken: ReadonlySet<string>,
): DecodedField[] {
  const { payloadFrom, payloadLength: sent } = header;
  let payload = frame.subarray(payloadFrom, payloadFrom + sent);
  if (sent < message.fullLength) {
    // Version 2 cuts zeros at the end, and older senders leave out extensions: both read as zero.
    payload = new Uint8Array(message.fullLength);
    payload.set(frame.subarray(payloadFrom, payloadFrom + sent));
  }
  const values: DecodedField[] = [];
  for (const field of fieldsOf(message, taken)) {
    const isMissing = header.version === 1 && field.to > sent;
    // Version 1 has no extensions, but some senders add their bytes.
    if (!isMissing || !field.isExtension) {
      values.push(readField(payload, field, payloadFrom, sent, isMissing));
    }
  }
  return values;
}

/** The bytes of a field are those that were sent for it: zeros at the end of a payload are not. */
function readField(
  payload: Uint8Array,
  { name, from, to, read, nameOf, unit, isExtension }: PayloadField,
  start: number,
  sent: number,
  isMissing: boolean,
): DecodedField {
  const value = isMissing ? null : read(payload, from);
  const field: { -readonly [Key in keyof DecodedField]: DecodedField[Key] } = {
    name,
    value,
    from: start + Math.min(from, sent),
    to: start + Math.min(to, sent),
  };
  if (unit !== '') {
    field.unit = unit;
  }
  const named = value === null ? undefined : nameOf?.(value);
  if (named !== undefined) {
    field.named = named;
  }
  if (isExtension) {
    field.place = 'extension';
  }
  return field;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes text up to its first zero: UTF-8, or else Latin-1. */
function decodeText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  let isAscii = true;
  let end = from;
  for (; end < to && bytes[end] !== 0; end++) {
    const byte = bytes[end] as number;
    isAscii &&= byte < 0x80;
    text += String.fromCharCode(byte);
  }
  if (isAscii) {
    return text;
  }
  try {
    return utf8.decode(bytes.subarray(from, end));
  } catch (error) {
    if (error instanceof TypeError) {
      return text;
    }
    throw error;
  }
}

/** @returns what names a value: an entry, or all bits that are set: `A, B, 0x40`. */
function namer({ entries }: MavlinkEnum, isBitmask: boolean): (value: FieldValue) => string | undefined {
  const small = new Map([...entries].map(([value, name]) => [Number(value), name]));
  return (value) => {
    if (typeof value !== 'bigint' && !Number.isInteger(value)) {
      return undefined;
    }
    const exact = typeof value === 'bigint' ? entries.get(value) : small.get(value as number);
    return exact !== undefined || !isBitmask ? exact : bitNames(entries, BigInt(value as number | bigint));
  };
}

function bitNames(entries: ReadonlyMap<bigint, string>, value: bigint): string | undefined {
  let left = value;
  const names: string[] = [];
  for (const [bits, name] of entries) {
    if (bits > 0n && (value & bits) === bits) {
      names.push(name);
      left &= ~bits;
    }
  }
  if (value <= 0n || names.length === 0) {
    return undefined;
  }
  return left === 0n ? names.join(', ') : `${names.join(', ')}, 0x${left.toString(16)}`;
}
