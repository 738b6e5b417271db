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
  /** Raw values by name, for sizes and conditions. */
  readonly raws: Map<string, number | bigint | string>;
  readonly fields: DecodedField[];
  /** Parts of a text line between separators, as offsets: the start of each, and the end. */
  readonly parts: readonly number[] | null;
  /** True if the frame ends before one of its fields does. */
  isShort: boolean;
  wireOffset(at: number): number;
}

type ReadFields = (source: FieldSource, prefix: string) => void;

/** Names by which sizes and conditions of a decoder refer to fields. Only their raw values are kept. */
export type References = ReadonlySet<string>;

/** Returns the names that a list of fields refers to. */
export function referencesOf(fields: readonly DecoderFieldOrGroup[]): string[] {
  return fields.flatMap(({ count, length, fields: inner = [] }) => [
    ...[count, length].flatMap((size) =>
      typeof size === 'string' ? size : typeof size === 'object' ? size.field : [],
    ),
    ...referencesOf(inner),
  ]);
}

/** Returns true if a field of this name may be referred to: by its name alone, in a group, or by its number in a list. */
function isReferred(name: string, references: References): boolean {
  return [...references].some((one) => one === name || one.endsWith(`.${name}`) || `.${one}`.includes(`.${name}.`));
}

/** Prepares a list of fields. */
export function fieldReader(
  fields: readonly DecoderFieldOrGroup[],
  order: ByteOrder,
  references: References,
): ReadFields {
  const readers = fields.map((field) =>
    field.fields === undefined ? oneField(field, order, references) : group(field, order, references),
  );
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

function group(
  { name, at, count, first = 0, fields = [] }: DecoderFieldOrGroup,
  order: ByteOrder,
  references: References,
): ReadFields {
  const read = fieldReader(fields, order, references);
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

function oneField(field: DecoderFieldOrGroup, order: ByteOrder, references: References): ReadFields {
  const { name, at, count, first = 0, unit, part, header } = field;
  const add = adder(field);
  const isKept = isReferred(name, references);
  const texts = { ...(unit !== undefined && unit !== '' && { unit }), ...(header === true && { isHeader: true }) };
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
        if (isKept) {
          source.raws.set(prefix + name, value.raw);
        }
        source.fields.push(add(prefix + name, value.raw, value.value, range.from, range.to));
      }
    };
  }
  const read = valueReader(field, order);
  if (count === undefined) {
    return (source, prefix) => {
      place(source, at);
      readOne(source, prefix, name, read, add, isKept);
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
      readOne(source, prefix, `${name}.${index + first}`, read, add, isKept);
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
function readOne(
  source: FieldSource,
  prefix: string,
  name: string,
  read: ReadValue,
  add: AddField,
  isKept: boolean,
): void {
  const from = source.cursor;
  const isInside = from >= 0 && from <= source.content.length;
  const result = isInside ? read(source, prefix) : null;
  if (result === null) {
    source.isShort = true;
    source.cursor = source.content.length;
    return;
  }
  const full = prefix === '' ? name : prefix + name;
  if (isKept) {
    source.raws.set(full, result.raw);
  }
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

type Writable = { -readonly [Name in keyof DecodedField]: DecodedField[Name] };

/** Returns what makes a field out of its values: names, unit, raw number and words. */
function adder(field: DecoderFieldOrGroup): AddField {
  const { unit, values, flags, bit, bits, header: isHeader = false } = field;
  const scaling = scalingOf(field);
  const place = bit === undefined && bits === undefined ? undefined : bitsText(bit ?? 0, bits ?? 1);
  const isPlain = scaling === null && values === undefined && flags === undefined && place === undefined && !isHeader;
  const shownUnit = unit === '' ? undefined : unit;
  if (isPlain && shownUnit === undefined) {
    return (name, _raw, value, from, to) => ({ name, value, from, to });
  }
  if (isPlain) {
    return (name, _raw, value, from, to) => ({ name, value, unit: shownUnit as string, from, to });
  }
  const nameOf = flags === undefined ? valueNamer(values) : flagNamer(flags);
  // Objects that are spread take several times as long as those whose properties are set.
  return (name, raw, value, from, to) => {
    const result: Writable = { name, value, from, to };
    const named = nameOf(raw);
    if (named !== undefined) {
      result.named = named;
    }
    if (shownUnit !== undefined) {
      result.unit = shownUnit;
    }
    if (scaling !== null) {
      result.raw = raw;
      result.how = scaling.how;
    }
    if (place !== undefined) {
      result.place = place;
    }
    if (isHeader) {
      result.isHeader = true;
    }
    return result;
  };
}

/** Names a raw value; undefined: it has no name. */
type NameOf = (raw: Value['raw']) => string | undefined;

function valueNamer(values: Readonly<Record<string, string>> | undefined): NameOf {
  if (values === undefined) {
    return () => undefined;
  }
  const names = new Map(Object.entries(values));
  const byNumber = new Map(
    [...names].flatMap(([key, name]) => (String(Number(key)) === key ? [[Number(key), name] as const] : [])),
  );
  return (raw) => (typeof raw === 'number' ? byNumber.get(raw) : names.get(String(raw)));
}

function bitsText(low: number, count: number): string {
  return count === 1 ? `bit ${low}` : `bits ${low} to ${low + count - 1}`;
}

/** Returns what names the bits that are set, lowest first. Bits without a name are left out. */
export function flagNamer(flags: Readonly<Record<string, string>>): (raw: number | bigint | string) => string {
  // Keys that are whole numbers come in their order.
  const all = Object.entries(flags).map(([bit, name]) => ({ name, weight: 2 ** Number(bit), bit: BigInt(bit) }));
  return (raw) => {
    if (typeof raw === 'string' || !Number.isInteger(Number(raw))) {
      return '';
    }
    let text = '';
    for (const { name, weight, bit } of all) {
      const isSet =
        typeof raw === 'number' && raw >= 0 ? Math.floor(raw / weight) % 2 === 1 : ((BigInt(raw) >> bit) & 1n) === 1n;
      if (isSet) {
        text = text === '' ? name : `${text}, ${name}`;
      }
    }
    return text;
  };
}
