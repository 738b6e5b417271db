/** Changes to a decoder that is built by example. Each returns another draft. The check of the contract decides what is right. */
import { completeDecoder } from '@wirebench/contract/decoder-library';
import type { DecoderContent, DecoderDraft, DecoderFieldOrGroup, DecoderFraming } from '@wirebench/contract/decoders';
import { decoderLimits } from '@wirebench/contract/decoders';
import type { TriedFrame } from '../../../../protocol/bench/trial-part.ts';

/** Bytes of the content of a frame, up to `to` without. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Field that shows all of a frame that has no other field yet. */
const wholeFrame: DecoderFieldOrGroup = { name: 'data', type: 'bytes', length: 'rest' };
const wholeLine: DecoderFieldOrGroup = { ...wholeFrame, type: 'text' };

const wholeOf = ({ kind }: { readonly kind: DecoderFraming['kind'] }) => (kind === 'lines' ? wholeLine : wholeFrame);

/** Returns a decoder that only cuts. */
export function newDraft(framing: DecoderDraft['framing'], checksum?: DecoderDraft['checksum']): DecoderContent {
  return completeDecoder({
    name: 'frames',
    title: '',
    framing,
    order: 'little',
    fields: [wholeOf(framing)],
    ...(checksum !== undefined && { checksum }),
  });
}

/** Makes a name of a decoder or field as Find takes it. */
export function nameFrom(text: string, otherwise: string): string {
  const name = text
    .normalize('NFD')
    .replace(/[^\w ]/g, '')
    .trim()
    .replace(/\s+/g, '_')
    .replace(/^\d+/, '')
    .slice(0, 32);
  return name === '' ? otherwise : name;
}

/** Title and the name that Find takes. */
export function withTitle(draft: DecoderContent, title: string): DecoderContent {
  return { ...draft, title, name: nameFrom(title.toLowerCase(), 'frames') };
}

/** Index of the message whose fields a frame has; −1: it has those of all frames. */
function messageOf(draft: DecoderContent, message: string): number {
  return draft.messages.findIndex(({ name }) => name === message);
}

/** Fields of the frames of one message, those of all frames first. */
function fieldsOf(draft: DecoderContent, message: string): readonly DecoderFieldOrGroup[] {
  const own = draft.messages[messageOf(draft, message)]?.fields ?? [];
  return [...draft.fields, ...own];
}

export function fieldNamed(draft: DecoderContent, message: string, name: string): DecoderFieldOrGroup | null {
  return fieldsOf(draft, message).find((field) => field.name === name) ?? null;
}

function withFields(
  draft: DecoderContent,
  message: string,
  change: (fields: readonly DecoderFieldOrGroup[], isOfMessage: boolean) => DecoderFieldOrGroup[],
): DecoderContent {
  const index = messageOf(draft, message);
  const messages = draft.messages.map((one, at) =>
    at === index ? { ...one, fields: change(one.fields ?? [], true) } : one,
  );
  return {
    ...draft,
    fields: change(draft.fields, false),
    ...(messages !== undefined && { messages }),
  };
}

const isWhole = ({ name, length, at }: DecoderFieldOrGroup) =>
  name === wholeFrame.name && length === wholeFrame.length && at === undefined;

/** Adds a field with an offset to the frames of a message, or to all frames. */
export function withField(draft: DecoderContent, message: string, field: DecoderFieldOrGroup): DecoderContent {
  const hasMessage = messageOf(draft, message) !== -1;
  return withFields(draft, message, (fields, isOfMessage) => {
    const kept = fields.filter((one) => !isWhole(one));
    return isOfMessage === hasMessage ? [...kept, field].sort(byOffset) : kept;
  });
}

/** Fields without an offset follow the one before, so they keep their place in front. */
function byOffset(one: DecoderFieldOrGroup, other: DecoderFieldOrGroup): number {
  return typeof one.at === 'number' && typeof other.at === 'number' && one.at >= 0 && other.at >= 0
    ? one.at - other.at || (one.bit ?? 0) - (other.bit ?? 0)
    : 0;
}

/** Changes a field by its name. A name that is changed is changed in what refers to it too. */
export function withChangedField(
  draft: DecoderContent,
  message: string,
  name: string,
  field: DecoderFieldOrGroup,
): DecoderContent {
  const changed = withFields(draft, message, (fields) => fields.map((one) => (one.name === name ? field : one)));
  return draft.sequence?.field === name ? { ...changed, sequence: { ...draft.sequence, field: field.name } } : changed;
}

/** Removes a field. Without any, frames show their bytes again. */
export function withoutField(draft: DecoderContent, message: string, name: string): DecoderContent {
  const { sequence, ...changed } = withFields(draft, message, (fields) => fields.filter((one) => one.name !== name));
  const isEmpty = changed.fields.length === 0 && changed.messages.length === 0 && changed.steps.length === 0;
  return {
    ...changed,
    ...(isEmpty && { fields: [wholeOf(draft.framing)] }),
    ...(sequence !== undefined && sequence.field !== name && { sequence }),
  };
}

/** Returns a name that no field has: `value_1`. */
function freeName(draft: DecoderContent, stem: string): string {
  const taken = new Set(
    [...draft.fields, ...draft.messages.flatMap(({ fields = [] }) => fields), ...draft.registers].map(
      ({ name }) => name,
    ),
  );
  for (let number = 1; ; number++) {
    const name = `${stem}_${number}`;
    if (!taken.has(name)) {
      return name;
    }
  }
}

/** Ways to read bytes. `flags` and `bits` are unsigned numbers with names of bits, or a part of their bits. */
export type ByteType = NonNullable<DecoderFieldOrGroup['type']> | 'flags' | 'bits';

export const typeNames: Readonly<Record<ByteType, string>> = {
  u8: 'u8',
  i8: 'i8',
  u16: 'u16',
  i16: 'i16',
  u24: 'u24',
  i24: 'i24',
  u32: 'u32',
  i32: 'i32',
  u64: 'u64',
  i64: 'i64',
  f32: 'f32, float',
  f64: 'f64, double',
  bcd: 'BCD',
  int: 'Signed, of any size',
  uint: 'Unsigned, of any size',
  bits7: '7 bits of each byte',
  number: 'Number in text',
  unit: 'Unit in text',
  hex: 'Hex digits',
  text: 'Text',
  bytes: 'Bytes',
  flags: 'Flags',
  bits: 'Some bits',
};

const numbersBySize: Readonly<Record<number, readonly ByteType[]>> = {
  1: ['u8', 'i8'],
  2: ['u16', 'i16'],
  3: ['u24', 'i24'],
  4: ['u32', 'i32', 'f32'],
  8: ['u64', 'i64', 'f64'],
};

/** Types that so many bytes may have, the likeliest first. */
export function typesFor(size: number): readonly ByteType[] {
  const numbers = numbersBySize[size] ?? [];
  return numbers.length === 0 ? ['bytes', 'text', 'bcd'] : [...numbers, 'flags', 'bits', 'bcd', 'text', 'bytes'];
}

export function typeOf({ type = 'u8', flags, bit, bits }: DecoderFieldOrGroup): ByteType {
  return bit !== undefined || bits !== undefined ? 'bits' : flags !== undefined ? 'flags' : type;
}

/** Reads bytes as another type. Their place stays, with what both types have. */
export function withType(field: DecoderFieldOrGroup, chosen: ByteType, size: number): DecoderFieldOrGroup {
  const { type: _type, bit: _bit, bits: _bits, flags: _flags, length: _length, ...kept } = field;
  const { scale: _scale, divide: _divide, offset: _offset, order: _order, values: _values, ...plain } = kept;
  switch (chosen) {
    case 'text':
    case 'bytes':
    case 'unit':
    case 'hex':
      return { ...plain, type: chosen, length: size };
    case 'bcd':
    case 'int':
    case 'uint':
    case 'bits7':
    case 'number':
      return { ...kept, type: chosen, length: size };
    case 'flags':
      return { ...plain, ...orderOf(field), type: unsigned(size), flags: field.flags ?? {} };
    case 'bits':
      return { ...kept, type: unsigned(size), bit: field.bit ?? 0, bits: field.bits ?? 1 };
    default:
      return { ...kept, type: chosen };
  }
}

const orderOf = ({ order }: DecoderFieldOrGroup) => (order === undefined ? {} : { order });

const unsigned = (size: number) => `u${8 * size}` as 'u8' | 'u16' | 'u24' | 'u32' | 'u64';

/** Field for bytes that a person has selected. */
export function newField(draft: DecoderContent, { from, to }: ByteRange, stem = 'value'): DecoderFieldOrGroup {
  const [type = 'bytes'] = typesFor(to - from);
  return withType({ name: freeName(draft, stem), at: from }, type, to - from);
}

/** Part of a line of text between separators. */
export interface LinePart extends ByteRange {
  readonly part: number;
}

/** Returns the part of a line in which selected bytes begin; null: frames are no lines with one mark between parts. */
export function partAt({ framing }: DecoderContent, content: Uint8Array, { from }: ByteRange): LinePart | null {
  if (framing.kind !== 'lines' || framing.hex === true || framing.separator.length > 1 || framing.separator === ' ') {
    return null;
  }
  const separator = framing.separator.charCodeAt(0);
  const before = content.subarray(0, from);
  const end = content.indexOf(separator, from);
  return {
    part: before.filter((byte) => byte === separator).length,
    from: before.lastIndexOf(separator) + 1,
    to: end === -1 ? content.length : end,
  };
}

/** Field for a part of a line: a number if it is one in the frame that is shown. */
export function newPart(draft: DecoderContent, { part, from, to }: LinePart, content: Uint8Array): DecoderFieldOrGroup {
  const text = new TextDecoder().decode(content.subarray(from, to)).trim();
  const isNumber = text !== '' && Number.isFinite(Number(text));
  return { name: freeName(draft, 'value'), part, type: isNumber ? 'f64' : 'text' };
}

/** Parses `0 off, 1 on`. Null: a part does not begin with a whole number. */
export function namesFrom(text: string): Record<string, string> | null {
  const names: Record<string, string> = {};
  for (const part of text.split(',')) {
    const found = /^\s*(-?\d{1,20})\s*[:=]?\s*(\S.*?)\s*$/.exec(part);
    if (found?.[1] !== undefined && found[2] !== undefined) {
      names[found[1]] = found[2];
    } else if (part.trim() !== '') {
      return null;
    }
  }
  return names;
}

/** Writes names as `namesFrom` parses them. */
export function namesText(names: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(names ?? {})
    .map(([value, name]) => `${value} ${name}`)
    .join(', ');
}

/** A length field that would lead from frame to frame. */
export interface LengthReading {
  readonly framing: DecoderFraming;
  /** Frames whose length it gives, of all that were compared. */
  readonly agreed: number;
  readonly of: number;
  /** Different lengths of those frames. With one alone, any number that stays the same would do. */
  readonly lengths: number;
}

/** Framings whose content is the whole frame. */
const wholeFramings: readonly DecoderFraming['kind'][] = ['length', 'until', 'gap', 'step'];

const lengthTypes = { 1: 'u8', 2: 'u16', 3: 'u24', 4: 'u32' } as const;

/**
 * Reads bytes as the length of their frame, with what must be added to it. Null: the frames have escapes or line ends, or
 * so many bytes are no length.
 */
export function lengthAt(
  draft: DecoderContent,
  { from, to }: ByteRange,
  frames: readonly TriedFrame[],
): LengthReading | null {
  const { framing } = draft;
  const size = to - from;
  const type = lengthTypes[size as keyof typeof lengthTypes];
  if (type === undefined || !wholeFramings.includes(framing.kind)) {
    return null;
  }
  const start = framing.kind === 'length' || framing.kind === 'until' ? framing.start : undefined;
  const end = framing.kind === 'length' || framing.kind === 'until' ? framing.end : undefined;
  const long = frames.filter(({ content, isBroken }) => content.length >= to && !isBroken);
  const readings = (size === 1 ? (['big'] as const) : (['big', 'little'] as const)).map((order) => {
    const added = new Map<number, TriedFrame[]>();
    for (const frame of long) {
      const add = frame.bytes.length - unsignedAt(frame.content, from, to, order);
      added.set(add, [...(added.get(add) ?? []), frame]);
    }
    const [best] = [...added].sort((one, other) => other[1].length - one[1].length);
    return { order, add: best?.[0] ?? 0, agreeing: best?.[1] ?? [] };
  });
  const [best] = readings.sort((one, other) => other.agreeing.length - one.agreeing.length);
  if (best === undefined || best.agreeing.length === 0) {
    return null;
  }
  const { order, add, agreeing } = best;
  return {
    framing: {
      kind: 'length',
      ...(start !== undefined && { start }),
      length: { at: from, type, order, multiply: 1, add },
      ...(end !== undefined && { end }),
      longest: framing.longest,
      // A silence ended the frames so far: the rest of a frame may take longer.
      ms: framing.kind === 'gap' ? 1_000 : framing.ms,
    },
    agreed: agreeing.length,
    of: long.length,
    lengths: new Set(agreeing.map(({ bytes }) => bytes.length)).size,
  };
}

function unsignedAt(bytes: Uint8Array, from: number, to: number, order: 'big' | 'little'): number {
  const digits = [...bytes.subarray(from, to)];
  return (order === 'big' ? digits : digits.reverse()).reduce((value, byte) => value * 256 + byte, 0);
}

/** Steps from frame to frame in which a number counts up by one, wrapping at its end. */
export function countingSteps(
  { from, to }: ByteRange,
  order: 'big' | 'little',
  frames: readonly TriedFrame[],
): { readonly counted: number; readonly of: number } {
  const values = frames
    .filter(({ content, isBroken, direction }) => content.length >= to && !isBroken && direction === 'received')
    .map(({ content }) => unsignedAt(content, from, to, order));
  const range = 256 ** (to - from);
  const counted = values.slice(1).filter((value, index) => value === ((values[index] ?? 0) + 1) % range).length;
  return { counted, of: Math.max(0, values.length - 1) };
}

const defaults = {
  decoder: { order: 'big', registers: [], steps: [], files: [], messages: [], fields: [] },
  framing: { longest: 4_096, ms: 1_000 },
  lines: { longest: 4_096, ms: 1_000, separator: ',' },
  length: { order: 'big', multiply: 1, add: 0 },
  checksum: { order: 'big', form: 'bytes', from: 0 },
  register: { table: 'holding', type: 'u16', order: 'big', length: 1 },
  message: { when: [], exception: false, question: false, answers: [], fields: [] },
  when: { usb: [], first: [], shortest: 0, longest: decoderLimits.frameLength },
} as const;

function without<Entry extends object>(entry: Entry, known: Readonly<Record<string, unknown>>): Entry {
  const kept = Object.entries(entry).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key]));
  return Object.fromEntries(kept) as Entry;
}

/** Leaves out what has its default, so that a saved decoder can be read. */
export function shortened(draft: DecoderContent): DecoderDraft {
  const { when, framing, checksum, registers, messages, ...rest } = draft;
  const cutting =
    framing.kind === 'length' && typeof framing.length === 'object'
      ? { ...framing, length: without(framing.length, defaults.length) }
      : framing;
  return {
    ...without({ ...rest, registers, messages }, defaults.decoder),
    framing: without(cutting, framing.kind === 'lines' ? defaults.lines : defaults.framing),
    ...(JSON.stringify(when) !== JSON.stringify(defaults.when) && { when }),
    ...(checksum !== undefined && { checksum: without(checksum, defaults.checksum) }),
    ...(registers.length > 0 && { registers: registers.map((register) => without(register, defaults.register)) }),
    ...(messages.length > 0 && { messages: messages.map((message) => without(message, defaults.message)) }),
  };
}
