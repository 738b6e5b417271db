/** One decoder at work: finds its frames and decodes them. */
import type { DecoderCondition, DecoderContent, DecoderMessage } from '@wirebench/contract/decoders';
import { type ContentCheck, contentCheck } from './checksums.ts';
import { type FieldSource, fieldReader, type References, referencesOf } from './field-decoder.ts';
import { bytesCount, fieldsText, type Template, template } from './frame-text.ts';
import type { DecodedField, DecodedFrame, Direction, FrameLink, FrameSettings } from './frame-types.ts';
import { type FrameForm, type FrameKind, frameKind } from './matchers.ts';
import { type FrameDraft, NONE, type StepParts } from './steps/step-types.ts';
import { steps } from './steps/steps.ts';
import { Budget } from './stream-cutter.ts';

/** Content of a frame, with the place of its bytes on the wire. */
export interface FrameContent {
  /** Without escapes, delimiters and line ends. */
  readonly content: Uint8Array;
  readonly wireOffset: (at: number) => number;
  readonly form: FrameForm;
}

type Raws = ReadonlyMap<string, number | bigint | string>;

interface CompiledMessage {
  readonly message: DecoderMessage;
  readonly holds: (raws: Raws) => boolean;
  readonly readFields: ReturnType<typeof fieldReader>;
  readonly line: Template | null;
  readonly key: Template | null;
}

const same = (at: number) => at;

export class CompiledDecoder {
  readonly decoder: DecoderContent;
  readonly parts: readonly StepParts[];
  /** Checksum of the decoder, or of its step; null: neither states one. */
  readonly check: ContentCheck | null;
  readonly #kind: FrameKind;
  readonly #readFields: ReturnType<typeof fieldReader>;
  readonly #messageOf: (raws: Raws) => CompiledMessage | undefined;
  readonly #checksumSize: number;
  readonly #who: Template | null;
  readonly #line: Template | null;
  readonly #key: Template | null;

  constructor(decoder: DecoderContent, settings: FrameSettings) {
    this.decoder = decoder;
    this.parts = decoder.steps.map((name) => steps[name].prepare(decoder, settings));
    this.#kind = frameKind(decoder, this.parts, new Budget());
    const references: References = new Set([
      ...decoder.messages.flatMap(({ when }) => when.map(({ field }) => field)),
      ...[decoder.fields, ...decoder.messages.map(({ fields }) => fields)].flatMap(referencesOf),
    ]);
    this.#readFields = fieldReader(decoder.fields, decoder.order, references);
    const messages = decoder.messages.map((message) => ({
      message,
      holds: conditions(message.when),
      readFields: fieldReader(message.fields, decoder.order, references),
      line: optional(message.line),
      key: optional(message.key),
    }));
    this.#messageOf = messageFinder(messages);
    const checksum = decoder.checksum ?? this.parts.find((part) => part.checksum !== undefined)?.checksum;
    this.check = checksum === undefined ? null : contentCheck(checksum);
    this.#checksumSize = this.check?.isLast === true ? this.check.size : 0;
    this.#who = optional(decoder.who);
    this.#line = optional(decoder.line);
    this.#key = optional(decoder.key);
  }

  /** Returns a matcher for a cutter of its own: it keeps how far it has looked. */
  matcher(budget: Budget): FrameKind['matcher'] {
    return frameKind(this.decoder, this.parts, budget).matcher;
  }

  /** Returns true for one right frame of this decoder, no more and no less. */
  isFrame(frame: Uint8Array): boolean {
    return this.#kind.isFrame(frame);
  }

  /**
   * Decides about one piece whose end only a silence says.
   *
   * @returns Its length for a right frame, −length for a broken one, else another number.
   */
  settled(piece: Uint8Array): number {
    return this.#kind.matcher.settle?.(piece, 0, piece.length, [], false) ?? NONE;
  }

  /** Returns true for bytes with which a broken frame of this decoder begins. */
  isBroken(frame: Uint8Array): boolean {
    const { firstBytes, match } = this.#kind.matcher;
    const [first] = frame;
    const mayBegin = first !== undefined && (firstBytes?.includes(first) ?? true);
    return mayBegin && (match(frame, 0, frame.length, 0, true) < NONE || this.#kind.isCut(frame));
  }

  /** Decodes a broken frame: its fault, and no values. */
  decodeBroken(frame: Uint8Array): DecodedFrame {
    const described = this.parts.flatMap(({ describeBroken }) => describeBroken?.(frame) ?? [])[0];
    const who = this.parts.flatMap(({ whoOfBroken }) => whoOfBroken?.(frame) ?? [])[0] ?? null;
    const message = described?.message ?? 'broken frame';
    const sentence =
      described?.fault ?? `${bytesCount(frame)}, ${this.#kind.isCut(frame) ? 'its end is missing' : 'wrong checksum'}`;
    const fields = described?.fields ?? [];
    return { decoder: this.decoder.name, kind: 'broken', message, key: 'broken frame', who, sentence, fields };
  }

  /** Decodes a right frame. */
  decode(frame: Uint8Array, link: FrameLink, direction: Direction): DecodedFrame {
    const found = this.contentOf(frame);
    const { content } = found;
    const source: FieldSource = {
      content,
      end: Math.max(0, content.length - found.form.tail - this.#checksumSize),
      cursor: found.form.head,
      previous: found.form.head,
      raws: new Map<string, number | bigint | string>([
        ['frame.length', content.length],
        ['frame.direction', direction],
      ]),
      fields: [],
      parts: this.decoder.framing.kind === 'lines' ? partsOf(content, this.decoder.framing.separator) : null,
      isShort: false,
      wireOffset: found.wireOffset,
    };
    this.#readFields(source, '');
    const message = this.#messageOf(source.raws);
    message?.readFields(source, '');
    const draft: FrameDraft = {
      wire: frame,
      content,
      direction,
      link,
      kind: message?.message.exception === true ? 'exception' : 'right',
      message: message?.message.name ?? '',
      key: '',
      who: null,
      sentence: '',
      adapterAt: link.adapterAt,
      fields: source.fields,
      wireOffset: found.wireOffset,
      rawOf: (name) => rawOf(source.fields, name),
    };
    for (const { decode } of this.parts) {
      decode?.(draft);
    }
    if (message === undefined && this.decoder.messages.length > 0) {
      addRest(draft, source);
    }
    return new LazyFrame(this.decoder.name, draft, source.isShort, found.form.tail, {
      who: this.#who,
      line: message?.line ?? this.#line,
      key: message?.key ?? this.#key,
      check: this.check,
    });
  }

  /** Returns the content of a right or broken frame of this decoder. */
  contentOf(frame: Uint8Array): FrameContent {
    const form = this.#kind.formOf(frame);
    const decoded = form.decode?.(frame);
    if (decoded !== undefined && decoded !== null) {
      const { content, offsets } = decoded;
      return { form, content, wireOffset: (at) => offsets[Math.min(at, content.length)] ?? 0 };
    }
    const { skipped } = form;
    if (this.decoder.framing.kind === 'lines') {
      const content = frame.subarray(skipped, frame.length - form.tail);
      return { form: { ...form, tail: 0 }, content, wireOffset: (at) => at + skipped };
    }
    return { form, content: frame, wireOffset: same };
  }
}

/** Makes the words and finds the checksum of a frame. */
interface FrameMakers {
  readonly check: ContentCheck | null;
  readonly who: Template | null;
  readonly line: Template | null;
  readonly key: Template | null;
}

/** A decoded frame whose words are made when they are read: a search for values needs none. */
class LazyFrame implements DecodedFrame {
  readonly decoder: string;
  readonly kind: DecodedFrame['kind'];
  readonly message: string;
  readonly fields: readonly DecodedField[];
  readonly #draft: FrameDraft;
  readonly #isShort: boolean;
  readonly #tail: number;
  readonly #makers: FrameMakers;

  constructor(decoder: string, draft: FrameDraft, isShort: boolean, tail: number, makers: FrameMakers) {
    this.decoder = decoder;
    this.kind = draft.kind;
    this.message = draft.message;
    this.fields = draft.fields;
    this.#draft = draft;
    this.#isShort = isShort;
    this.#tail = tail;
    this.#makers = makers;
  }

  get who(): string | null {
    return this.#draft.who ?? this.#makers.who?.(this.fields) ?? null;
  }

  get key(): string {
    const { key } = this.#draft;
    return key === '' ? (this.#makers.key?.(this.fields) ?? [this.who, this.message].filter(Boolean).join(' ')) : key;
  }

  get sentence(): string {
    const { sentence: own } = this.#draft;
    const sentence = typeof own === 'function' ? own() : own;
    const words = sentence === '' ? (this.#makers.line?.(this.fields) ?? this.#plainWords()) : sentence;
    return this.#isShort ? `${words === '' ? '' : `${words}, `}frame too short for all fields` : words;
  }

  #plainWords(): string {
    return [this.message, fieldsText(this.fields)].filter((words) => words !== '').join(' ');
  }

  get adapterAt(): number | undefined {
    return this.#draft.adapterAt;
  }

  get checksum(): DecodedFrame['checksum'] {
    const { check } = this.#makers;
    const { content, wireOffset } = this.#draft;
    if (check === null) {
      return undefined;
    }
    const at = check.placeIn(0, content.length, this.#tail);
    return { from: wireOffset(at), to: wireOffset(at + check.size) };
  }
}

/** Adds the bytes of a frame that fits no message of the decoder, unless a step has read them. */
function addRest({ fields, content }: FrameDraft, { cursor, end, wireOffset }: FieldSource): void {
  const from = wireOffset(cursor);
  if (cursor >= 0 && cursor < end && !fields.some((field) => field.to > from)) {
    const name = fields.some((field) => field.name === 'data') ? 'frame.data' : 'data';
    fields.push({ name, value: content.slice(cursor, end), from, to: wireOffset(end) });
  }
}

const optional = (text: string | undefined): Template | null => (text === undefined ? null : template(text));

/** Returns the raw value of a field; undefined: there is none of this name, or it has no number and no text. */
function rawOf(fields: readonly DecodedField[], name: string): number | bigint | string | undefined {
  const field = fields.find((one) => one.name === name);
  const raw = field?.raw ?? field?.value;
  return typeof raw === 'number' || typeof raw === 'bigint' || typeof raw === 'string' ? raw : undefined;
}

/** Most combinations of values by which messages are found. */
const MAX_KEYS = 4_096;

/**
 * Returns what finds the first message whose conditions hold. Where all messages have a value for the same fields, such as
 * class and id, those values lead to a few of them.
 */
function messageFinder(messages: readonly CompiledMessage[]): (raws: Raws) => CompiledMessage | undefined {
  const exact = messages.map(({ message }) => message.when.filter(({ is }) => is !== undefined));
  const [first = [], ...others] = exact.map((list) => [...new Set(list.map(({ field }) => field))]);
  const keys = first.filter((field) => others.every((list) => list.includes(field)));
  const valuesOf = (index: number) =>
    keys.map((key) => [exact[index]?.find(({ field }) => field === key)?.is ?? []].flat().map(String));
  const size = messages.reduce(
    (sum, _, index) => sum + valuesOf(index).reduce((all, { length }) => all * length, 1),
    0,
  );
  if (keys.length === 0 || size > MAX_KEYS) {
    return (raws) => messages.find(({ holds }) => holds(raws));
  }
  const byKey = new Map<string, CompiledMessage[]>();
  for (const [index, message] of messages.entries()) {
    const values = valuesOf(index);
    const combined = values.reduce<string[]>(
      (all, some) => all.flatMap((one) => some.map((two) => `${one} ${two}`)),
      [''],
    );
    for (const key of combined) {
      byKey.set(key, [...(byKey.get(key) ?? []), message]);
    }
  }
  return (raws) => {
    let key = '';
    for (const field of keys) {
      key += ` ${raws.get(field)}`;
    }
    return byKey.get(key)?.find(({ holds }) => holds(raws));
  };
}

function conditions(list: readonly DecoderCondition[]): CompiledMessage['holds'] {
  const tests = list.map(({ field, is, from, to }) => {
    const values = is === undefined ? null : new Set((Array.isArray(is) ? is : [is]).map(String));
    return (raws: Raws) => {
      const raw = raws.get(field);
      return (
        raw !== undefined &&
        (values?.has(String(raw)) ?? true) &&
        (from === undefined || Number(raw) >= from) &&
        (to === undefined || Number(raw) <= to)
      );
    };
  });
  return (raws) => tests.every((test) => test(raws));
}

/** Returns the offsets at which the parts of a line begin, and its end. */
function partsOf(content: Uint8Array, separator: string): readonly number[] {
  const byte = separator.charCodeAt(0);
  const parts = [0];
  for (let at = content.indexOf(byte); at !== -1; at = content.indexOf(byte, at + 1)) {
    parts.push(at + 1);
  }
  parts.push(content.length);
  return parts;
}
