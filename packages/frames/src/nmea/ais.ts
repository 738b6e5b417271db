/**
 * Payload of an AIS sentence (IEC 61993-2, Recommendation ITU-R M.1371-5): six bits a character, the highest bit first.
 * A message is cut into sentences with a common sequence number, which are joined here.
 */
import type { DecodedField } from '../frame-types.ts';
import { type AisField, type AisMessage, type AisReading, aisHead, aisMessages, aisTypes } from './ais-messages.ts';
import type { Sentence } from './sentence.ts';

/** Bits of one message, and the place of each character. */
export interface AisBits {
  /** Six bits each. */
  readonly six: readonly number[];
  /** Number of bits without the fill bits. */
  readonly length: number;
  /** Character, and offset in the frame, from which characters of this sentence begin: others came before. */
  readonly own: { readonly from: number; readonly at: number };
}

export interface AisContent {
  readonly message: AisMessage;
  readonly type: number;
  readonly mmsi: number;
  readonly fields: readonly DecodedField[];
}

/** Returns six bits of each character; null if a character is outside of the armour. */
function sixBits(payload: string): number[] | null {
  const six: number[] = [];
  for (let at = 0; at < payload.length; at++) {
    const value = armour[payload.charCodeAt(at)] ?? -1;
    if (value < 0) {
      return null;
    }
    six.push(value);
  }
  return six;
}

/** Six bits by the code of a character: 0 to W, then ` to w; −1 for all others. */
const armour = Int8Array.from({ length: 128 }, (_, code) =>
  code < 0x30 || code > 0x77 || (code > 0x57 && code < 0x60) ? -1 : code - (code < 0x58 ? 0x30 : 0x38),
);

/** A sentence with a part of a message. */
export interface AisPart {
  readonly parts: number;
  readonly part: number;
  /** Talker, sequence number and channel: what the parts of a message have in common. */
  readonly key: string;
  readonly six: readonly number[];
  readonly fill: number;
  /** Offset of the payload in its frame. */
  readonly at: number;
}

/** @returns the part that a VDM or VDO sentence carries; null for any other sentence. */
export function aisPart({ type, address, cells }: Sentence): AisPart | null {
  const [parts, part, sequence, channel, payload, fill] = cells;
  if ((type !== 'VDM' && type !== 'VDO') || payload === undefined || fill === undefined) {
    return null;
  }
  const six = sixBits(payload.text);
  const numbers = [Number(parts?.text), Number(part?.text), Number(fill.text)];
  const [count = 0, index = 0, bits = 0] = numbers;
  if (six === null || numbers.some((number) => !Number.isInteger(number)) || index < 1 || index > count || bits > 5) {
    return null;
  }
  const key = `${address.text} ${sequence?.text} ${channel?.text}`;
  return { parts: count, part: index, key, six, fill: bits, at: payload.from };
}

/** @param earlier Parts before `last`, in order. @returns null if one is missing. */
export function joinParts(earlier: readonly AisPart[], last: AisPart): AisBits | null {
  const isWhole = earlier.length === last.parts - 1 && last.part === last.parts;
  if (!isWhole || earlier.some(({ part }, index) => part !== index + 1)) {
    return null;
  }
  const six = earlier.length === 0 ? last.six : [...earlier, last].flatMap((part) => part.six);
  const from = six.length - last.six.length;
  return { six, length: six.length * 6 - last.fill, own: { from, at: last.at } };
}

/** Messages that can be waited for at the same time: ten sequence numbers on two channels, of some talkers. */
const MAX_WAITING = 64;
/** Parts of one message (ITU-R M.1371-5: at most five slots). */
const MAX_PARTS = 9;

/** Collects the sentences of messages in parts. A part out of order drops what was collected. */
export class AisParts {
  readonly #waiting = new Map<string, { readonly parts: number; readonly frames: readonly Uint8Array[] }>();

  /** True: no sentence of a message in parts waits for the next. */
  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** @returns the sentences before this one, if it is the last of a whole message. */
  add(part: AisPart, frame: Uint8Array): readonly Uint8Array[] {
    const waiting = this.#waiting.get(part.key);
    this.#waiting.delete(part.key);
    const isNext = part.part === 1 || (waiting?.parts === part.parts && waiting.frames.length === part.part - 1);
    if (part.parts === 1 || part.parts > MAX_PARTS || !isNext) {
      return [];
    }
    const earlier = part.part === 1 ? [] : (waiting?.frames ?? []);
    if (part.part === part.parts) {
      return earlier;
    }
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= MAX_WAITING && oldest !== undefined) {
      this.#waiting.delete(oldest);
    }
    this.#waiting.set(part.key, { parts: part.parts, frames: [...earlier, frame] });
    return [];
  }
}

/** @returns the unsigned number of `bits` bits from bit `at`. */
function number(six: readonly number[], at: number, bits: number): number {
  let index = Math.floor(at / 6);
  let offset = at - index * 6;
  let value = 0;
  for (let left = bits; left > 0; index++) {
    const taken = Math.min(6 - offset, left);
    const part = ((six[index] ?? 0) >> (6 - offset - taken)) & ((1 << taken) - 1);
    value = value * (1 << taken) + part;
    left -= taken;
    offset = 0;
  }
  return value;
}

/** @returns text of six bits a character; `@` ends it, spaces after it are fill. */
function textOf(six: readonly number[], at: number, bits: number): string {
  let text = '';
  for (let bit = at; bit + 6 <= at + bits; bit += 6) {
    const code = number(six, bit, 6);
    if (code === 0) {
      break;
    }
    text += String.fromCharCode(code < 32 ? code + 64 : code);
  }
  return text.trimEnd();
}

/** Auxiliary craft have the MMSI of their mother ship in place of dimensions (ITU-R M.1371-5, annex 8, 3.22.3). */
function isAuxiliary(mmsi: number): boolean {
  return Math.floor(mmsi / 10_000_000) === 98;
}

/** A field of a message with the place of its bits. */
interface PlacedField {
  readonly name: string;
  readonly at: number;
  /** Number of bits; `rest`: all that follow. */
  readonly size: number | 'rest';
  /** Index of the first character. */
  readonly first: number;
  readonly reading: AisReading;
  /** Bits in words; null: they depend on the length of the message. */
  readonly place: string | null;
  /** In words, how the number becomes the value. */
  readonly how: string;
}

/** Returns the fields without the spare ones. */
function placed({ fields }: AisMessage): readonly PlacedField[] {
  let at = 0;
  return fields.flatMap(([name, size, reading = {}]) => {
    const place = size === 'rest' ? null : placeOf(at, size);
    const how = `divided by ${reading.divide}`;
    // The type of the sentence is `type`.
    const field = { name: name === 'type' ? 'ais' : name, at, size, first: Math.floor(at / 6), reading, place, how };
    at += size === 'rest' ? 0 : size;
    return name === 'spare' ? [] : [field];
  });
}

/** Fields of the messages that are known. */
const placedFields = new Map<AisMessage, readonly PlacedField[]>();

function placedIn(message: AisMessage): readonly PlacedField[] {
  const known = placedFields.get(message) ?? placed(message);
  placedFields.set(message, known);
  return known;
}

/** Reads a message. @returns null if it is too short for type and MMSI. */
export function readAis(bits: AisBits): AisContent | null {
  if (bits.length < 38) {
    return null;
  }
  const type = number(bits.six, 0, 6);
  const mmsi = number(bits.six, 8, 30);
  const message = messageOf(bits, type, mmsi);
  const fields: DecodedField[] = [];
  for (const field of placedIn(message)) {
    const length = field.size === 'rest' ? bits.length - field.at : field.size;
    if (field.at + length > bits.length || length <= 0) {
      // A message that ends early has no values for the rest.
      break;
    }
    fields.push(bitsField(bits, field, length));
  }
  return { message, type, mmsi, fields };
}

function messageOf(bits: AisBits, type: number, mmsi: number): AisMessage {
  if (type !== 24) {
    return aisMessages[type] ?? unknownMessage(type);
  }
  const part = number(bits.six, 38, 2);
  return part === 1 && isAuxiliary(mmsi) ? auxiliary : (aisMessages[`24.${part}`] ?? unknownMessage(type));
}

const partB = aisMessages['24.1'] as AisMessage;
const auxiliary: AisMessage = { ...partB, fields: [...partB.fields.slice(0, -5), ['mothership_mmsi', 30]] };

/** Messages that are known by form alone, by type (0 to 63). */
const unknownMessages: AisMessage[] = [];

function unknownMessage(type: number): AisMessage {
  const known = unknownMessages[type];
  if (known !== undefined) {
    return known;
  }
  const fields: readonly AisField[] = [...aisHead, ['data', 'rest']];
  const message = { name: aisTypes[type] ?? `message ${type}`, fields, row: '' };
  unknownMessages[type] = message;
  return message;
}

function placeOf(at: number, length: number): string {
  return length === 1 ? `bit ${at}` : `bits ${at} to ${at + length - 1}`;
}

/** Makes a field with as few assignments after its creation as possible: a busy channel has thousands a second. */
function bitsField({ own, six }: AisBits, field: PlacedField, length: number): DecodedField {
  const { name, at, size, first, reading } = field;
  const last = Math.floor((at + length - 1) / 6);
  const from = own.at + Math.max(0, first - own.from);
  const to = last < own.from ? from : own.at + last - own.from + 1;
  const place = field.place ?? placeOf(at, length);
  if (reading.text === true) {
    return { name, value: textOf(six, at, length) || null, from, to, place };
  }
  if (size === 'rest') {
    return { name, value: hexOf(six, at, length), from, to, place };
  }
  const unsigned = number(six, at, length);
  const raw = reading.signed === true && unsigned >= 2 ** (length - 1) ? unsigned - 2 ** length : unsigned;
  const { unit, divide, names, none, step } = reading;
  if (divide === undefined && names === undefined && none === undefined && step === undefined) {
    return unit === undefined ? { name, value: raw, from, to, place } : { name, value: raw, from, to, place, unit };
  }
  const named = names?.[raw];
  if (divide !== undefined && unit !== undefined && named === undefined && raw !== none) {
    const value = Math.round((raw / divide) * 1e9) / 1e9;
    return { name, value, from, to, place, raw, how: field.how, unit };
  }
  const other: Writable = { name, value: null, from, to, place };
  addNumber(other, raw, field);
  if (unit !== undefined) {
    other.unit = unit;
  }
  return other;
}

function hexOf(six: readonly number[], at: number, bits: number): string {
  let digits = '';
  for (let bit = at; bit < at + bits; bit += 4) {
    digits += number(six, bit, Math.min(4, at + bits - bit)).toString(16);
  }
  return digits;
}

type Writable = { -readonly [Name in keyof DecodedField]: DecodedField[Name] };

function addNumber(field: Writable, raw: number, { reading, how }: PlacedField): void {
  if (raw === reading.none) {
    field.named = 'not available';
    field.raw = raw;
    return;
  }
  if (reading.step === 'turn') {
    Object.assign(field, turnOf(raw), { raw });
    return;
  }
  const { divide } = reading;
  const named = reading.names?.[raw];
  if (named !== undefined) {
    field.named = named;
  }
  field.value = raw;
  if (divide !== undefined) {
    field.value = Math.round((raw / divide) * 1e9) / 1e9;
    field.raw = raw;
    field.how = how;
  }
}

type Value = Pick<DecodedField, 'value' | 'named' | 'how'>;

/** Rate of turn: raw = 4.733 √(degrees a minute), with the sign of the turn (ITU-R M.1371-5, annex 8, table 48). */
function turnOf(raw: number): Value {
  if (raw === -128) {
    return { value: null, named: 'not available' };
  }
  if (Math.abs(raw) === 127) {
    return { value: null, named: `turning ${raw > 0 ? 'right' : 'left'} at more than 5° in 30 s` };
  }
  const turn = Math.sign(raw) * (raw / 4.733) ** 2;
  return { value: Math.round(turn * 10) / 10, how: 'divided by 4.733 and squared' };
}
