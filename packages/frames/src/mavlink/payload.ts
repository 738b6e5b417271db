/** Values of the fields of a MAVLink payload. Numbers are little-endian. */
import type { MavlinkEnum, MavlinkField, MavlinkMessage, MavlinkType } from './definitions.ts';
import type { MavlinkHeader } from './frame.ts';

export interface MavlinkValue {
  readonly field: MavlinkField;
  /** Element of an array, from 0; null: the field itself. */
  readonly index: number | null;
  /** Null: MAVLink 1 ended before the field did. Arrays of char are text, arrays of uint8_t bytes. */
  readonly value: number | bigint | string | Uint8Array | null;
  /** Bytes of the frame that were sent for it. Zeros at the end of a payload are not sent. */
  readonly from: number;
  readonly to: number;
  readonly named?: string;
}

/** @param frame A whole frame whose checksum is right. */
export function readPayload(frame: Uint8Array, header: MavlinkHeader, message: MavlinkMessage): MavlinkValue[] {
  const sent = frame.subarray(header.payloadFrom, header.payloadFrom + header.payloadLength);
  // MAVLink 2 cuts zeros at the end, and older senders leave out extensions: both read as zero.
  const payload = new Uint8Array(Math.max(message.fullLength, sent.length));
  payload.set(sent);
  const view = new DataView(payload.buffer);
  const values: MavlinkValue[] = [];
  for (const field of message.fields) {
    const isMissing = header.version === 1 && field.offset + field.size * (field.count ?? 1) > sent.length;
    // Version 1 has no extensions, but some senders add their bytes.
    if (!isMissing || !field.isExtension) {
      values.push(...readField(view, field, header, isMissing));
    }
  }
  return values;
}

function readField(view: DataView, field: MavlinkField, header: MavlinkHeader, isMissing: boolean): MavlinkValue[] {
  const place = (offset: number, size: number) => ({
    from: header.payloadFrom + Math.min(offset, header.payloadLength),
    to: header.payloadFrom + Math.min(offset + size, header.payloadLength),
  });
  const { offset, size, count } = field;
  const all = { field, index: null, ...place(offset, size * (count ?? 1)) };
  if (isMissing) {
    return [{ ...all, value: null }];
  }
  const bytes = new Uint8Array(view.buffer, offset, size * (count ?? 1));
  if (field.type === 'char') {
    return [{ ...all, value: decodeText(bytes) }];
  }
  if (count === null) {
    return [{ ...all, ...readElement(view, field, offset) }];
  }
  if (field.type === 'uint8_t') {
    return [{ ...all, value: bytes.slice() }];
  }
  return Array.from({ length: count }, (_, index) => {
    const at = offset + index * size;
    return { field, index, ...place(at, size), ...readElement(view, field, at) };
  });
}

function readElement(view: DataView, field: MavlinkField, at: number): Pick<MavlinkValue, 'value' | 'named'> {
  const value = readNumber(view, field.type, at);
  const named = field.names === null ? undefined : nameValue(field.names, value, field.isBitmask);
  return named === undefined ? { value } : { value, named };
}

function readNumber(view: DataView, type: MavlinkType, at: number): number | bigint {
  switch (type) {
    case 'char':
    case 'uint8_t':
      return view.getUint8(at);
    case 'int8_t':
      return view.getInt8(at);
    case 'uint16_t':
      return view.getUint16(at, true);
    case 'int16_t':
      return view.getInt16(at, true);
    case 'uint32_t':
      return view.getUint32(at, true);
    case 'int32_t':
      return view.getInt32(at, true);
    case 'uint64_t':
      return view.getBigUint64(at, true);
    case 'int64_t':
      return view.getBigInt64(at, true);
    case 'float':
      return view.getFloat32(at, true);
    case 'double':
      return view.getFloat64(at, true);
  }
}

/** Decodes text up to its first zero: UTF-8, or else Latin-1. */
function decodeText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = end < 0 ? bytes : bytes.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
  } catch (error) {
    if (error instanceof TypeError) {
      return Array.from(text, (byte) => String.fromCharCode(byte)).join('');
    }
    throw error;
  }
}

/** @returns the name of a value, or of all bits that are set: `A, B, 0x40`. Undefined: it has no name. */
function nameValue({ entries }: MavlinkEnum, value: number | bigint, isBitmask: boolean): string | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    return undefined;
  }
  const whole = BigInt(value);
  const exact = entries.get(whole);
  if (exact !== undefined || !isBitmask || whole <= 0n) {
    return exact;
  }
  let left = whole;
  const names: string[] = [];
  for (const [bits, name] of entries) {
    if (bits > 0n && (whole & bits) === bits) {
      names.push(name);
      left &= ~bits;
    }
  }
  return left === 0n || names.length === 0
    ? names.join(', ') || undefined
    : [...names, `0x${left.toString(16)}`].join(', ');
}
