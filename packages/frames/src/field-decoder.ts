/** Decodes the fields of a decoder: a list of them is prepared once and read from each frame. */
import {
  type ByteOrder,
  type DecoderField,
  type DecoderFieldOrGroup,
  type DecoderPower,
  type DecoderSize,
  decoderLimits,
  numberSizes,
  type SizedType,
  sizedTypes,
} from '@wirebench/contract/decoders';
import { conditionTest, rawIn } from './conditions.ts';
import { decodeHex } from './escapes.ts';
import type { DecodedField, FieldValue } from './frame-types.ts';
import { numberReader, type Scaling, scalingOf, variableNumber } from './numbers.ts';
import { findKey, partsOf, readNumber, type Separators, separatorsOf, type TextParts } from './text-parts.ts';

/** Raw values by name, for sizes and conditions. */
export type Raws = Map<string, number | bigint | string>;

/** Content of a frame, or of a field in it, while its fields are read. */
export class FieldSource {
  readonly content: Uint8Array;
  /** Offset after the last byte that fields without a length may take. */
  readonly end: number;
  /** Offset of the next field. */
  cursor: number;
  /** Offset of the last field. */
  previous: number;
  readonly raws: Raws;
  readonly fields: DecodedField[];
  /** True if the frame ends before one of its fields does. */
  isShort = false;
  readonly wireOffset: (at: number) => number;
  readonly #outer: FieldSource | null;
  /** Values of fields in which others are read, by name; null: none yet. The content of the frame has them. */
  #inner: Map<string, FieldSource> | null = null;
  readonly #separators: Separators | null;
  #parts: TextParts | null = null;

  /**
   * @param range Offset of the first field, and offset after the last byte that fields without a length may take.
   * @param separators Marks between the parts of a text; null: the content has no parts.
   * @param outer Source of the field whose value this is; null: it is the content of the frame.
   */
  constructor(
    content: Uint8Array,
    range: { readonly from: number; readonly to: number },
    wireOffset: (at: number) => number,
    separators: Separators | null,
    outer: FieldSource | null = null,
  ) {
    this.content = content;
    this.end = range.to;
    this.cursor = range.from;
    this.previous = range.from;
    this.wireOffset = wireOffset;
    this.raws = outer?.raws ?? new Map();
    this.fields = outer?.fields ?? [];
    this.#outer = outer;
    this.#separators = separators;
  }

  /** Returns the value of a field in which others are read: of the same element of a list, else of the frame. */
  innerOf(prefix: string, name: string): FieldSource | undefined {
    return this.#outer?.innerOf(prefix, name) ?? this.#inner?.get(prefix + name) ?? this.#inner?.get(name);
  }

  keepInner(name: string, inner: FieldSource): void {
    if (this.#outer === null) {
      this.#inner ??= new Map();
      this.#inner.set(name, inner);
    } else {
      this.#outer.keepInner(name, inner);
    }
  }

  /** Parts of a text; null: the content has none. They are found when a field asks first. */
  get parts(): TextParts | null {
    if (this.#separators === null) {
      return null;
    }
    this.#parts ??= partsOf(this.content, this.#separators);
    return this.#parts;
  }
}

type ReadFields = (source: FieldSource, prefix: string) => void;

/** Names by which parts of a decoder refer to fields. */
export interface References {
  /** Fields of sizes and conditions. Only their raw values are kept. */
  readonly raws: ReadonlySet<string>;
  /** Fields in which others are read. */
  readonly outer: ReadonlySet<string>;
}

/** Returns the names to which sizes and conditions of a list of fields refer. */
export function referencesOf(fields: readonly DecoderFieldOrGroup[]): string[] {
  return fields.flatMap(({ count, length, base, power, when = [], until = [], fields: inner = [] }) => [
    ...[count, length, base, power].flatMap((size) =>
      typeof size === 'string' ? size : typeof size === 'object' ? size.field : [],
    ),
    ...[...when, ...until].map(({ field }) => field),
    ...referencesOf(inner),
  ]);
}

/** Returns the names of fields in which others are read. */
export function outerNames(fields: readonly DecoderFieldOrGroup[]): string[] {
  return fields.flatMap(({ in: outer, fields: inner = [] }) => [
    ...(outer === undefined ? [] : [outer]),
    ...outerNames(inner),
  ]);
}

/** Returns true if a field of this name may be referred to: by its name alone, in a group, or by its number in a list. */
function isReferred(name: string, references: ReadonlySet<string>): boolean {
  return [...references].some((one) => one === name || one.endsWith(`.${name}`) || `.${one}`.includes(`.${name}.`));
}

/** Prepares a list of fields. */
export function fieldReader(
  fields: readonly DecoderFieldOrGroup[],
  order: ByteOrder,
  references: References,
): ReadFields {
  const readers = fields.map((field) => placed(field, readerOf(field, order, references)));
  return (source, prefix) => {
    for (const read of readers) {
      read(source, prefix);
    }
  };
}

function readerOf(field: DecoderFieldOrGroup, order: ByteOrder, references: References): ReadFields {
  if (field.fields === undefined) {
    return field.part === undefined && field.key === undefined
      ? oneField(field, order, references)
      : textField(field, references);
  }
  return field.base === undefined ? group(field, order, references) : addressed(field, order, references);
}

/** Reads a field only under its conditions, and in the field that it is in. */
function placed({ when = [], in: outer }: DecoderFieldOrGroup, read: ReadFields): ReadFields {
  const within: ReadFields =
    outer === undefined
      ? read
      : (source, prefix) => {
          const inner = source.innerOf(prefix, outer);
          if (inner !== undefined) {
            read(inner, prefix);
            source.isShort ||= inner.isShort;
          }
        };
  if (when.length === 0) {
    return within;
  }
  const holds = conditionTest(when);
  return (source, prefix) => {
    if (holds(source.raws, prefix)) {
      within(source, prefix);
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
  const raw = rawIn(source.raws, prefix, name);
  if (raw === undefined) {
    return null;
  }
  if (typeof size === 'string') {
    return wholeSize(Number(raw));
  }
  const own = size.table === undefined ? Number(raw) : size.table[String(raw)];
  return own === undefined ? null : wholeSize(own * size.multiply + size.add);
}

const wholeSize = (value: number) => (Number.isInteger(value) && value >= 0 ? value : null);

function group(field: DecoderFieldOrGroup, order: ByteOrder, references: References): ReadFields {
  const { name, at, count, first = 0, until = [], fields = [] } = field;
  const read = fieldReader(fields, order, references);
  const isLast = until.length === 0 ? null : conditionTest(until);
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
      const element = `${prefix}${name}.${index + first}.`;
      read(source, element);
      if (source.cursor <= before || isLast?.(source.raws, element) === true) {
        break;
      }
    }
  };
}

/** Reads fields by their addresses in the bytes that begin at an address. */
function addressed(field: DecoderFieldOrGroup, order: ByteOrder, references: References): ReadFields {
  const { at, base, step = 1, length, fields = [] } = field;
  const readers = fields.map((one) => {
    const { at: address, count, length: own, type = 'u8' } = one;
    const { at: _, ...free } = one;
    const size = isSized(type) ? (typeof own === 'number' ? own : 1) : numberSizes[type];
    return {
      address: Number(address),
      size: size * (typeof count === 'number' ? count : 1),
      read: placed(one, readerOf(free, order, references)),
    };
  });
  return (source, prefix) => {
    place(source, at);
    const from = source.cursor;
    const origin = sizeOf(base, source, prefix, 0);
    const bytes = length === undefined ? source.end - from : sizeOf(length, source, prefix, source.end - from);
    if (origin === null || bytes === null) {
      return;
    }
    const end = Math.min(source.end, from + bytes);
    for (const { address, size, read } of readers) {
      const begin = from + (address - origin) * step;
      if (begin >= from && begin + size <= end) {
        source.cursor = begin;
        read(source, prefix);
      }
    }
    source.cursor = Math.max(from, end);
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
  /** Unit that the text has. */
  readonly unit?: string | undefined;
  /** Offset in the content of each byte of a value that was hex digits. */
  readonly offsets?: Uint32Array;
}

/** Adds values of a field, and keeps what others refer to. */
type Push = (source: FieldSource, prefix: string, name: string, result: Value, from: number, to: number) => void;

function pusher(field: DecoderFieldOrGroup, references: References): Push {
  const add = adder(field);
  const isKept = isReferred(field.name, references.raws);
  const isOuter = isReferred(field.name, references.outer);
  const separators = field.separator === undefined ? null : separatorsOf(field.separator, true);
  const { unit, header } = field;
  const texts = { ...(unit !== undefined && unit !== '' && { unit }), ...(header === true && { isHeader: true }) };
  const power = field.power === undefined ? null : powerOf(field.power);
  return (source, prefix, name, result, from, to) => {
    const full = prefix === '' ? name : prefix + name;
    const { raw } = result;
    if (isKept && (result.value !== null || raw !== '')) {
      source.raws.set(full, raw);
    }
    const wireFrom = source.wireOffset(from);
    const wireTo = source.wireOffset(to);
    const scaled = power === null || result.value === null ? result.value : power(source, prefix, result.value);
    if (isOuter) {
      source.keepInner(full, innerSource(source, result, from, to, separators));
    }
    if (scaled === null && typeof raw === 'string') {
      source.fields.push({ name: full, value: null, ...texts, from: wireFrom, to: wireTo });
      return;
    }
    const made: Writable = add(full, raw, scaled, wireFrom, wireTo);
    if (power !== null) {
      made.raw = raw;
      made.how = [made.how, 'times a power of ten'].filter((word) => word !== undefined).join(', ');
    }
    if (result.unit !== undefined) {
      made.unit = result.unit;
    }
    source.fields.push(made);
  };
}

function innerSource(
  source: FieldSource,
  { value, offsets }: Value,
  from: number,
  to: number,
  separators: Separators | null,
): FieldSource {
  const bytes = value instanceof Uint8Array ? value : source.content.subarray(from, to);
  const wireOffset = (at: number) => source.wireOffset(offsets?.[at] ?? Math.min(to, from + at));
  return new FieldSource(bytes, { from: 0, to: bytes.length }, wireOffset, separators, source);
}

/** Returns what scales a value by a power of ten from the frame; null: the frame has none. */
function powerOf(power: DecoderPower): (source: FieldSource, prefix: string, value: FieldValue) => number | null {
  const scaled = (value: FieldValue, exponent: number) => {
    const isPossible = Number.isInteger(exponent) && Math.abs(exponent) <= decoderLimits.power;
    const number = Number(value);
    return isPossible ? (exponent < 0 ? number / 10 ** -exponent : number * 10 ** exponent) : null;
  };
  if (typeof power === 'number') {
    return (_source, _prefix, value) => scaled(value, power);
  }
  const { field, multiply = 1, add = 0 } = typeof power === 'string' ? { field: power } : power;
  return (source, prefix, value) => {
    const raw = rawIn(source.raws, prefix, field);
    return raw === undefined || raw === '' ? null : scaled(value, Number(raw) * multiply + add);
  };
}

/** Reads a field of a text by its part or key. */
function textField(field: DecoderFieldOrGroup, references: References): ReadFields {
  const { name, part = 0, count, first = 0 } = field;
  const push = pusher(field, references);
  const parse = partParser(field);
  const keys = field.key === undefined ? null : [field.key].flat().map((key) => new TextEncoder().encode(key));
  const range = { from: 0, to: 0, index: 0 };
  const find = (source: FieldSource, parts: TextParts): boolean => {
    if (keys !== null) {
      return keys.some((key) => findKey(source.content, parts, key, part, range));
    }
    range.index = part < 0 ? parts.starts.length + part : part;
    range.from = parts.starts[range.index] ?? -1;
    range.to = parts.ends[range.index] ?? -1;
    return range.from >= 0;
  };
  const readOne: ReadOne = (source, prefix, full, from, to) => {
    const value = to > from ? parse(source.content, from, to) : null;
    push(source, prefix, full, value ?? noValue, from, to);
  };
  return (source, prefix) => {
    const { parts } = source;
    if (parts === null || !find(source, parts)) {
      return;
    }
    if (count === undefined) {
      readOne(source, prefix, name, range.from, range.to);
      return;
    }
    const { starts, ends, lines } = parts;
    const begin = range.index;
    const most = Math.min(sizeOf(count, source, prefix, decoderLimits.count) ?? 0, decoderLimits.count);
    for (let index = 0; index < most && lines[begin + index] === lines[begin]; index++) {
      if (source.fields.length >= decoderLimits.frameValues) {
        break;
      }
      const from = index === 0 ? range.from : (starts[begin + index] as number);
      readOne(source, prefix, `${name}.${index + first}`, from, ends[begin + index] as number);
    }
  };
}

type ReadOne = (source: FieldSource, prefix: string, name: string, from: number, to: number) => void;

const noValue: Value = { raw: '', value: null };

function oneField(field: DecoderFieldOrGroup, order: ByteOrder, references: References): ReadFields {
  const { name, at, count, first = 0, until = [] } = field;
  const push = pusher(field, references);
  const read = valueReader(field, order);
  if (count === undefined) {
    return (source, prefix) => {
      place(source, at);
      readOne(source, prefix, name, read, push);
    };
  }
  const isLast = until.length === 0 ? null : conditionTest(until, name);
  return (source, prefix) => {
    place(source, at);
    const begin = source.cursor;
    const number = Math.min(sizeOf(count, source, prefix, decoderLimits.count) ?? 0, decoderLimits.count);
    for (let index = 0; index < number && source.fields.length < decoderLimits.frameValues; index++) {
      const before = source.cursor;
      if (count === 'rest' && before >= source.end) {
        break;
      }
      const element = `${name}.${index + first}`;
      readOne(source, prefix, element, read, push);
      if (source.cursor <= before || isLast?.(source.raws, prefix, element) === true) {
        break;
      }
    }
    source.previous = begin;
  };
}

type ReadValue = (source: FieldSource, prefix: string) => Value | null;
type AddField = (name: string, raw: Value['raw'], value: FieldValue, from: number, to: number) => DecodedField;

/** Reads one value at the cursor and moves behind it. A value that is not all there is left out. */
function readOne(source: FieldSource, prefix: string, name: string, read: ReadValue, push: Push): void {
  const from = source.cursor;
  const isInside = from >= 0 && from <= source.content.length;
  const result = isInside ? read(source, prefix) : null;
  if (result === null) {
    source.isShort = true;
    source.cursor = source.content.length;
    return;
  }
  push(source, prefix, name, result, from, source.cursor);
}

const isSized = (type: string): type is SizedType => sizedTypes.some((one) => one === type);

/** Returns the reader of the raw value; null: the frame ends before the field does. */
function valueReader(field: DecoderFieldOrGroup, order: ByteOrder): ReadValue {
  const { type = 'u8', length, at } = field;
  // Fields that follow each other end before the checksum; one with an offset may read it.
  const limitOf = ({ content, end }: FieldSource) => (at === undefined ? end : content.length);
  const scaling = scalingOf(field);
  if (isSized(type)) {
    const parse = sizedParser(field, type, ['little', 'dcba'].includes(field.order ?? order));
    return (source, prefix) => {
      const from = source.cursor;
      const size = sizeOf(length, source, prefix, source.end - from);
      if (size === null || from + size > limitOf(source)) {
        return null;
      }
      source.cursor = from + size;
      return scaledValue(parse(source.content, from, from + size), scaling);
    };
  }
  const size = numberSizes[type];
  const readNumberAt = numberReader(type, field.order ?? order);
  const bits = bitReader(field);
  return (source) => {
    const from = source.cursor;
    if (from + size > limitOf(source)) {
      return null;
    }
    source.cursor = from + size;
    const raw = bits === null ? readNumberAt(source.content, from) : bits(readNumberAt(source.content, from));
    return { raw, value: scaling === null ? raw : scaling.apply(raw) };
  };
}

/** Applies a scale to a value that is a number. */
function scaledValue(value: Value, scaling: Scaling | null): Value {
  const { raw } = value;
  return scaling === null || value.value === null || typeof raw === 'string'
    ? value
    : { ...value, value: scaling.apply(raw) };
}

type Parse = (content: Uint8Array, from: number, to: number) => Value;

/** Returns the parser of bytes whose number the field says. */
function sizedParser(field: DecoderFieldOrGroup, type: SizedType, isLittle: boolean): Parse {
  switch (type) {
    case 'bytes':
      return (content, from, to) => ({ raw: '', value: content.subarray(from, to) });
    case 'text':
      return (content, from, to) => {
        const text = textOf(content.subarray(from, to));
        return { raw: text, value: text };
      };
    case 'bcd':
      return (content, from, to) => {
        const bytes = content.subarray(from, to);
        return bcdValue(isLittle ? bytes.toReversed() : bytes);
      };
    case 'int':
    case 'uint':
    case 'bits7':
      return (content, from, to) => {
        const raw = variableNumber(content, from, to, type, isLittle);
        return raw === null ? noValue : { raw, value: raw };
      };
    case 'hex':
      return hexValue;
    case 'number':
      return numberParser(field);
    case 'unit':
      return unitValue;
  }
}

function hexValue(content: Uint8Array, from: number, to: number): Value {
  const bytes = new Uint8Array(to - from);
  const offsets = new Uint32Array(to - from + 1);
  const length = decodeHex(content, from, to, bytes, offsets);
  if (length < 0) {
    return noValue;
  }
  offsets[length] = to;
  return { raw: '', value: bytes.subarray(0, length), offsets: offsets.subarray(0, length + 1) };
}

/** Returns the parser of a number with its unit. One in another unit than the field names has no value. */
function numberParser(field: DecoderFieldOrGroup): Parse {
  const isScaled = scalingOf(field) !== null || field.power !== undefined;
  const { unit = '' } = field;
  return (content, from, to) => {
    const found = readNumber(content, from, to);
    if (found === null) {
      return { raw: '', value: null };
    }
    const { value, unitFrom, unitTo } = found;
    if (unitFrom === unitTo || isScaled) {
      return { raw: value, value };
    }
    const own = shortText(content, unitFrom, unitTo);
    return unit === '' ? { raw: value, value, unit: own } : own === unit ? { raw: value, value } : noValue;
  };
}

function unitValue(content: Uint8Array, from: number, to: number): Value {
  const found = readNumber(content, from, to);
  const text = found === null ? '' : shortText(content, found.unitFrom, found.unitTo);
  return text === '' ? noValue : { raw: text, value: text };
}

/** Decodes a few bytes, which are ASCII nearly always. */
function shortText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) {
      return decoder.decode(bytes.subarray(from, to));
    }
    text += String.fromCharCode(byte);
  }
  return text;
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

/** Returns the parser of a part of a text. Text that is no number has no value. */
function partParser(field: DecoderFieldOrGroup): (content: Uint8Array, from: number, to: number) => Value | null {
  const { type = 'text' } = field;
  const scaling = scalingOf(field);
  if (type === 'text' || type === 'bytes') {
    return (content, from, to) => {
      const text = shortText(content, from, to);
      return { raw: text, value: text };
    };
  }
  if (type === 'hex' || type === 'number' || type === 'unit') {
    const parse = sizedParser(field, type, false);
    return (content, from, to) => scaledValue(parse(content, from, to), scaling);
  }
  return (content, from, to) => {
    const trimmed = shortText(content, from, to).trim();
    if (type === 'u64' || type === 'i64') {
      return /^[+-]?\d{1,20}$/.test(trimmed)
        ? { raw: BigInt(trimmed.replace('+', '')), value: BigInt(trimmed.replace('+', '')) }
        : null;
    }
    // A line that was cut short may end with a point.
    if (!/^[+-]?(\d+(\.\d+)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(trimmed)) {
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
