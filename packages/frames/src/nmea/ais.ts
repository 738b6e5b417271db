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

/** @returns six bits of each character; null if a character is outside of the armour. */
function sixBits(payload: string): number[] | null {
  const six: number[] = [];
  for (let at = 0; at < payload.length; at++) {
    const code = payload.charCodeAt(at);
    // 0 to W, then ` to w.
    if (code < 0x30 || code > 0x77 || (code > 0x57 && code < 0x60)) {
      return null;
    }
    six.push(code < 0x58 ? code - 0x30 : code - 0x38);
  }
  return six;
}

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

/** Reads a message. @returns null if it is too short for type and MMSI. */
export function readAis(bits: AisBits): AisContent | null {
  if (bits.length < 38) {
    return null;
  }
  const type = number(bits.six, 0, 6);
  const mmsi = number(bits.six, 8, 30);
  const message = messageOf(bits, type, mmsi);
  const fields: DecodedField[] = [];
  let at = 0;
  for (const field of message.fields) {
    const length = field[1] === 'rest' ? bits.length - at : field[1];
    if (at + length > bits.length || length === 0) {
      // A message that ends early has no values for the rest.
      break;
    }
    if (field[0] !== 'spare') {
      fields.push(bitsField(bits, field, at, length));
    }
    at += length;
  }
  return { message, type, mmsi, fields };
}

function messageOf(bits: AisBits, type: number, mmsi: number): AisMessage {
  const key = type === 24 ? `24.${number(bits.six, 38, 2)}` : String(type);
  const known = aisMessages[key];
  if (known === undefined) {
    const fields: readonly AisField[] = [...aisHead, ['data', 'rest']];
    return { name: aisTypes[type] ?? `message ${type}`, fields, row: '' };
  }
  if (key === '24.1' && isAuxiliary(mmsi)) {
    const own: readonly AisField[] = known.fields.slice(0, -5);
    return { ...known, fields: [...own, ['mothership_mmsi', 30]] };
  }
  return known;
}

function bitsField(bits: AisBits, [name, size, reading = {}]: AisField, at: number, length: number): DecodedField {
  const { own, six } = bits;
  const first = Math.floor(at / 6);
  const last = Math.floor((at + length - 1) / 6);
  const from = own.at + Math.max(0, first - own.from);
  const field: Writable = {
    // The type of the sentence is `type`.
    name: name === 'type' ? 'ais' : name,
    value: null,
    from,
    to: last < own.from ? from : own.at + last - own.from + 1,
    place: placeOf(at, length),
  };
  if (reading.text === true) {
    field.value = textOf(six, at, length) || null;
    return field;
  }
  if (size === 'rest') {
    field.value = hexOf(six, at, length);
    return field;
  }
  const unsigned = number(six, at, length);
  addNumber(
    field,
    reading.signed === true && unsigned >= 2 ** (length - 1) ? unsigned - 2 ** length : unsigned,
    reading,
  );
  if (reading.unit !== undefined) {
    field.unit = reading.unit;
  }
  return field;
}

/** Places of bits in words, by `4096 × bit + number of bits`. Messages have their fields at the same places. */
const places = new Map<number, string>();
const MAX_PLACES = 2_048;

function placeOf(at: number, length: number): string {
  const key = at * 4_096 + length;
  let place = places.get(key);
  if (place === undefined) {
    place = length === 1 ? `bit ${at}` : `bits ${at} to ${at + length - 1}`;
    if (length < 4_096 && places.size < MAX_PLACES) {
      places.set(key, place);
    }
  }
  return place;
}

function hexOf(six: readonly number[], at: number, bits: number): string {
  let digits = '';
  for (let bit = at; bit < at + bits; bit += 4) {
    digits += number(six, bit, Math.min(4, at + bits - bit)).toString(16);
  }
  return digits;
}

type Writable = { -readonly [Name in keyof DecodedField]: DecodedField[Name] };

function addNumber(field: Writable, raw: number, reading: AisReading): void {
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
    field.how = `divided by ${divide}`;
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
