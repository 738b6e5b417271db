/** Decodes the fields of a decoder: a list of them is prepared once and read from each frame. */
import {
  type ByteOrder,
  type DecoderField,
  type DecoderFieldOrGroup,
  type DecoderSize,
  decoderLimits,
  numberSizes,
} from '@wirebench/contract/decoders';
import type { DecodedField, FieldValue } from './frame-types.ts';
import { numberReader, scalingOf } from './numbers.ts';

/** Content of a frame while its fields are read. */
export interface FieldSource {
  readonly content: Uint8Array;
  /** Offset after the last byte that fields without a length may take. */
  readonly end: number;
  /** Offset of the next field. */
  cursor: number;
  /** Offset of the last field. */
  previous: number;
  /** Raw values by name, for sizes, conditions and steps. */
  readonly raws: Map<string, number | bigint | string>;
  readonly fields: DecodedField[];
  /** Parts of a text line between separators, as offsets: the start of each, and the end. */
  readonly parts: readonly number[] | null;
  /** True if the frame ends before one of its fields does. */
  isShort: boolean;
  wireOffset(at: number): number;
}

type ReadFields = (source: FieldSource, prefix: string) => void;

/** Prepares a list of fields. */
export function fieldReader(fields: readonly DecoderFieldOrGroup[], order: ByteOrder): ReadFields {
  const readers = fields.map((field) => (field.fields === undefined ? oneField(field, order) : group(field, order)));
  return (source, prefix) => {
    for (const read of readers) {
      read(source, prefix);
    }
  };
}

/** Returns the number that a size has in this frame; null: its field has no value. */
function sizeOf(size: DecoderSize | undefined, source: FieldSource, prefix: string, rest: number): number | null {
  if (size === undefined || typeof size === 'number') {
    return size ?? 1;
  }
  if (size === 'rest') {
    return Math.max(0, rest);
  }
  const name = typeof size === 'string' ? size : size.field;
  const raw = source.raws.get(prefix + name) ?? source.raws.get(name);
  if (raw === undefined) {
    return null;
  }
  const value =
    Number(raw) * (typeof size === 'string' ? 1 : size.multiply) + (typeof size === 'string' ? 0 : size.add);
  return Number.isInteger(value) && value >= 0 ? value : null;
}

function group({ name, at, count, first = 0, fields = [] }: DecoderFieldOrGroup, order: ByteOrder): ReadFields {
  const read = fieldReader(fields, order);
  return (source, prefix) => {
    place(source, at);
    const wanted = sizeOf(count, source, prefix, decoderLimits.count);
    const most = Math.min(wanted ?? 0, decoderLimits.count);
    for (let index = 0; index < most; index++) {
      const before = source.cursor;
      if (before >= source.end || source.fields.length >= decoderLimits.frameValues) {
        source.isShort ||= count !== 'rest' && before >= source.end;
        break;
      }
      read(source, `${prefix}${name}.${index + first}.`);
      if (source.cursor <= before) {
        break;
      }
    }
  };
}

/** Moves to where a field begins. */
function place(source: FieldSource, at: DecoderField['at']): void {
  if (at === 'previous') {
    source.cursor = source.previous;
  } else if (at !== undefined) {
    source.cursor = at < 0 ? source.content.length + at : at;
  }
  source.previous = source.cursor;
}

interface Value {
  readonly raw: number | bigint | string;
  readonly value: FieldValue;
}

function oneField(field: DecoderFieldOrGroup, order: ByteOrder): ReadFields {
  const { name, at, count, first = 0, unit, part } = field;
  const add = adder(field);
  const texts = { ...(unit !== undefined && unit !== '' && { unit }) };
  if (part !== undefined) {
    const parse = partParser(field);
    return (source, prefix) => {
      const { parts } = source;
      const from = parts?.[part];
      const to = parts?.[part + 1];
      if (from === undefined || to === undefined) {
        return;
      }
      const end = part + 2 === parts?.length ? to : to - 1;
      const value = end > from ? parse(source.content, from, end) : null;
      const range = { from: source.wireOffset(from), to: source.wireOffset(end) };
      if (value === null) {
        source.fields.push({ name: prefix + name, value: null, ...texts, ...range });
      } else {
        source.raws.set(prefix + name, value.raw);
        source.fields.push(add(prefix + name, value.raw, value.value, range.from, range.to));
      }
    };
  }
  const read = valueReader(field, order);
  if (count === undefined) {
    return (source, prefix) => {
      place(source, at);
      readOne(source, prefix, name, read, add);
    };
  }
  return (source, prefix) => {
    place(source, at);
    const begin = source.cursor;
    const number = Math.min(sizeOf(count, source, prefix, decoderLimits.count) ?? 0, decoderLimits.count);
    for (let index = 0; index < number && source.fields.length < decoderLimits.frameValues; index++) {
      const before = source.cursor;
      if (count === 'rest' && before >= source.end) {
        break;
      }
      readOne(source, prefix, `${name}.${index + first}`, read, add);
      if (source.cursor <= before) {
        break;
      }
    }
    source.previous = begin;
  };
}

type ReadValue = (source: FieldSource, prefix: string) => Value | null;
type AddField = (name: string, raw: Value['raw'], value: FieldValue, from: number, to: number) => DecodedField;

/** Reads one value at the cursor and moves behind it. A value that is not all there is left out. */
function readOne(source: FieldSource, prefix: string, name: string, read: ReadValue, add: AddField): void {
  const from = source.cursor;
  const isInside = from >= 0 && from <= source.content.length;
  const result = isInside ? read(source, prefix) : null;
  if (result === null) {
    source.isShort = true;
    source.cursor = source.content.length;
    return;
  }
  const full = prefix === '' ? name : prefix + name;
  source.raws.set(full, result.raw);
  source.fields.push(add(full, result.raw, result.value, source.wireOffset(from), source.wireOffset(source.cursor)));
}

/** Returns the reader of the raw value; null: the frame ends before the field does. */
function valueReader(field: DecoderFieldOrGroup, order: ByteOrder): ReadValue {
  const { type = 'u8', length, at } = field;
  // Fields that follow each other end before the checksum; one with an offset may read it.
  const limitOf = ({ content, end }: FieldSource) => (at === undefined ? end : content.length);
  const isLittle = ['little', 'dcba'].includes(field.order ?? order);
  if (type === 'text' || type === 'bytes' || type === 'bcd') {
    return (source, prefix) => {
      const from = source.cursor;
      const size = sizeOf(length, source, prefix, source.end - from);
      if (size === null || from + size > limitOf(source)) {
        return null;
      }
      source.cursor = from + size;
      const bytes = source.content.subarray(from, from + size);
      if (type === 'bytes') {
        return { raw: '', value: bytes };
      }
      const raw = type === 'text' ? textOf(bytes) : null;
      return raw === null ? bcdValue(isLittle ? bytes.toReversed() : bytes) : { raw, value: raw };
    };
  }
  const size = numberSizes[type];
  const readNumber = numberReader(type, field.order ?? order);
  const scaling = scalingOf(field);
  const bits = bitReader(field);
  return (source) => {
    const from = source.cursor;
    if (from + size > limitOf(source)) {
      return null;
    }
    source.cursor = from + size;
    const raw = bits === null ? readNumber(source.content, from) : bits(readNumber(source.content, from));
    return { raw, value: scaling === null ? raw : scaling.apply(raw) };
  };
}

/** Returns the part of a number that a bit field has; null: all of it. */
function bitReader({
  bit,
  bits,
  type = 'u8',
}: DecoderFieldOrGroup): ((raw: number | bigint) => number | bigint) | null {
  if (bit === undefined && bits === undefined) {
    return null;
  }
  const low = BigInt(bit ?? 0);
  const width = bits ?? 1;
  const isSigned = type.startsWith('i');
  if (!isSigned && type !== 'u64') {
    const divisor = 2 ** (bit ?? 0);
    const range = 2 ** width;
    return (raw) => Math.floor(Number(raw) / divisor) % range;
  }
  return (raw) => {
    const part = BigInt(raw) >> low;
    const value = isSigned ? BigInt.asIntN(width, part) : BigInt.asUintN(width, part);
    return width > 53 ? value : Number(value);
  };
}

const decoder = new TextDecoder();

/** Text up to its first NUL, as UTF-8. */
export function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end));
}

/** Packed decimal digits, the highest first. Digits above 9 give no value. */
function bcdValue(bytes: Uint8Array): Value {
  let digits = '';
  for (const byte of bytes) {
    digits += byte.toString(16).padStart(2, '0');
  }
  if (!/^\d{1,36}$/.test(digits)) {
    return { raw: digits, value: null };
  }
  const value = BigInt(digits);
  const raw = value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  return { raw, value: raw };
}

/** Returns the parser of a part of a text line. Text that is no number has no value. */
function partParser(field: DecoderFieldOrGroup): (content: Uint8Array, from: number, to: number) => Value | null {
  const { type = 'text' } = field;
  const scaling = scalingOf(field);
  return (content, from, to) => {
    const text = decoder.decode(content.subarray(from, to));
    if (type === 'text' || type === 'bytes') {
      return { raw: text, value: text };
    }
    const trimmed = text.trim();
    if (type === 'u64' || type === 'i64') {
      return /^[+-]?\d{1,20}$/.test(trimmed)
        ? { raw: BigInt(trimmed.replace('+', '')), value: BigInt(trimmed.replace('+', '')) }
        : null;
    }
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed)) {
      return null;
    }
    const raw = Number(trimmed);
    return { raw, value: scaling === null ? raw : scaling.apply(raw) };
  };
}

/** Returns what makes a field out of its values: names, unit, raw number and words. */
function adder(field: DecoderFieldOrGroup): AddField {
  const { unit, values, flags, bit, bits } = field;
  const scaling = scalingOf(field);
  const place = bit === undefined && bits === undefined ? undefined : bitsText(bit ?? 0, bits ?? 1);
  const isPlain = scaling === null && values === undefined && flags === undefined && place === undefined;
  if (isPlain && (unit === undefined || unit === '')) {
    return (name, _raw, value, from, to) => ({ name, value, from, to });
  }
  if (isPlain) {
    return (name, _raw, value, from, to) => ({ name, value, unit: unit as string, from, to });
  }
  return (name, raw, value, from, to) => {
    const named = flags === undefined ? values?.[String(raw)] : flagNames(flags, raw);
    return {
      name,
      value,
      ...(named !== undefined && { named }),
      ...(unit !== undefined && unit !== '' && { unit }),
      from,
      to,
      ...(scaling !== null && { raw, how: scaling.how }),
      ...(place !== undefined && { place }),
    };
  };
}

function bitsText(low: number, count: number): string {
  return count === 1 ? `bit ${low}` : `bits ${low} to ${low + count - 1}`;
}

/** Returns the names of the bits that are set, lowest first. Bits without a name are left out. */
export function flagNames(flags: Readonly<Record<string, string>>, raw: number | bigint | string): string {
  if (typeof raw === 'string' || !Number.isInteger(Number(raw))) {
    return '';
  }
  // Keys that are whole numbers come in their order.
  const isSet =
    typeof raw === 'number' && raw >= 0
      ? (bit: string) => Math.floor(raw / 2 ** Number(bit)) % 2 === 1
      : (bit: string) => ((BigInt(raw) >> BigInt(bit)) & 1n) === 1n;
  return Object.keys(flags)
    .filter(isSet)
    .map((bit) => flags[bit])
    .join(', ');
}
