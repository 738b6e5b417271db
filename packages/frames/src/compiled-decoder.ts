/** One decoder at work: finds its frames and decodes them. */
import type { DecoderContent, DecoderMessage } from '@wirebench/contract/decoders';
import { type ContentCheck, contentCheck } from './checksums.ts';
import { conditionTest } from './conditions.ts';
import { FieldSource, fieldReader, outerNames, type Raws, type References, referencesOf } from './field-decoder.ts';
import type { FrameForm } from './frame-form.ts';
import { bytesCount, fieldsText, type Template, template } from './frame-text.ts';
import type { DecodedField, DecodedFrame, Direction, FrameLink, FrameSettings } from './frame-types.ts';
import { type FrameKind, frameKinds } from './matchers.ts';
import { type FrameDraft, NONE, type StepParts } from './steps/step-types.ts';
import { steps } from './steps/steps.ts';
import { Budget, type Matcher } from './stream-cutter.ts';
import { type Separators, separatorsOf } from './text-parts.ts';
import { transformer } from './transforms.ts';

/** Content of a frame, with the place of its bytes on the wire. */
export interface FrameContent {
  /** Without escapes, delimiters and line ends. */
  readonly content: Uint8Array;
  readonly wireOffset: (at: number) => number;
  readonly form: FrameForm;
  /** The same before its bytes were transformed, of which checksums are; null: they were not. */
  readonly sent: { readonly content: Uint8Array; readonly wireOffset: (at: number) => number } | null;
}

/** The question of an answer, with the decoder that reads it. */
export interface AskedFrame {
  readonly bytes: Uint8Array;
  readonly direction: Direction;
  readonly decoder: CompiledDecoder;
}

interface CompiledMessage {
  readonly message: DecoderMessage;
  readonly holds: ReturnType<typeof conditionTest>;
  readonly readFields: ReturnType<typeof fieldReader>;
  readonly line: Template | null;
  readonly key: Template | null;
}

const same = (at: number) => at;

/** Fields of the question in conditions and sizes: `question.address`. */
const QUESTION = 'question.';

/** Link of a frame that is looked at by itself. */
export const alone: FrameLink = { role: 'notice', to: null, ms: null, missing: 0, related: [] };

export class CompiledDecoder {
  readonly decoder: DecoderContent;
  readonly parts: readonly StepParts[];
  /** Checksum of the decoder, or of its step; null: neither states one. */
  readonly check: ContentCheck | null;
  /** True: what an answer says depends on its question. */
  readonly needsQuestion: boolean;
  readonly #kinds: readonly [FrameKind, ...FrameKind[]];
  readonly #questionFields: readonly string[];
  readonly #separators: readonly (Separators | null)[];
  readonly #hasLength: boolean;
  readonly #hasDirection: boolean;
  readonly #hasParts: boolean;
  readonly #transform: ReturnType<typeof transformer>;
  readonly #readFields: ReturnType<typeof fieldReader>;
  readonly #messageOf: (raws: Raws) => CompiledMessage | undefined;
  readonly #who: Template | null;
  readonly #line: Template | null;
  readonly #key: Template | null;

  constructor(decoder: DecoderContent, settings: FrameSettings) {
    this.decoder = decoder;
    this.parts = decoder.steps.map((name) => steps[name].prepare(decoder, settings));
    this.#kinds = frameKinds(decoder, this.parts, new Budget()) as [FrameKind, ...FrameKind[]];
    const lists = [decoder.fields, ...decoder.messages.map(({ fields }) => fields)];
    const references: References = {
      raws: new Set([
        ...decoder.messages.flatMap(({ when }) => when.map(({ field }) => field)),
        ...lists.flatMap(referencesOf),
      ]),
      outer: new Set(lists.flatMap(outerNames)),
    };
    this.#questionFields = [...references.raws].flatMap((name) =>
      name.startsWith(QUESTION) ? name.slice(QUESTION.length) : [],
    );
    this.needsQuestion =
      this.#questionFields.length > 0 || this.#kinds.some(({ questionChecks }) => questionChecks.length > 0);
    this.#hasLength = references.raws.has('frame.length');
    this.#hasDirection = references.raws.has('frame.direction');
    this.#hasParts = references.raws.has('frame.parts');
    this.#separators = shapesOf(decoder).map((shape) =>
      shape.kind === 'lines' || (shape.kind === 'until' && shape.separator !== undefined)
        ? separatorsOf(shape.separator ?? '', shape.kind === 'until')
        : null,
    );
    this.#transform = transformer(decoder.transform);
    this.#readFields = fieldReader(decoder.fields, decoder.order, references);
    const messages = decoder.messages.map((message) => ({
      message,
      holds: conditionTest(message.when),
      readFields: fieldReader(message.fields, decoder.order, references),
      line: optional(message.line),
      key: optional(message.key),
    }));
    this.#messageOf = messageFinder(messages);
    const ofStep = this.parts.find((part) => part.checksum !== undefined)?.checksum;
    this.check = this.#kinds[0].checks.at(-1) ?? (ofStep === undefined ? null : contentCheck(ofStep));
    this.#who = optional(decoder.who);
    this.#line = optional(decoder.line);
    this.#key = optional(decoder.key);
  }

  /** Returns matchers for a cutter of its own: they keep how far they have looked. */
  matchers(budget: Budget, direction: Direction): Matcher[] {
    return frameKinds(this.decoder, this.parts, budget).flatMap((kind) => (isFor(kind, direction) ? kind.matcher : []));
  }

  /** Returns the silence in ms that decides about waiting bytes. A gap ends frames, so it wins over longer times. */
  silence(direction: Direction): number {
    const { framing } = this.decoder;
    const gaps = shapesOf(this.decoder).flatMap((shape, index) =>
      shape.kind === 'gap' && isFor(this.#kinds[index], direction) ? shape.ms : [],
    );
    return gaps.length > 0 ? Math.max(...gaps) : framing.ms;
  }

  /** Returns true for one right frame of this decoder, no more and no less. */
  isFrame(frame: Uint8Array, direction: Direction): boolean {
    return this.#kinds.some((kind) => isFor(kind, direction) && kind.isFrame(frame));
  }

  /** Returns the shape of a right frame; of a broken one, that with which it begins. */
  #kindOf(frame: Uint8Array, direction: Direction): FrameKind {
    const [only] = this.#kinds;
    if (this.#kinds.length === 1) {
      return only;
    }
    const possible = this.#kinds.filter((kind) => isFor(kind, direction));
    return (
      possible.find((kind) => kind.isFrame(frame)) ??
      possible.find((kind) => mayBegin(kind, frame)) ??
      possible[0] ??
      only
    );
  }

  /**
   * Decides about one piece whose end only a silence says.
   *
   * @returns Its length for a right frame, −length for a broken one, else another number.
   */
  settled(piece: Uint8Array): number {
    return this.#kinds[0].matcher.settle?.(piece, 0, piece.length, [], false) ?? NONE;
  }

  /** Returns true for bytes with which a broken frame of this decoder begins. */
  isBroken(frame: Uint8Array, direction: Direction): boolean {
    return this.#kinds.some(
      (kind) =>
        isFor(kind, direction) &&
        mayBegin(kind, frame) &&
        (kind.matcher.match(frame, 0, frame.length, 0, true) < NONE || kind.isCut(frame)),
    );
  }

  /** Decodes a broken frame: its fault, and no values. */
  decodeBroken(frame: Uint8Array, direction: Direction): DecodedFrame {
    const described = this.parts.flatMap(({ describeBroken }) => describeBroken?.(frame) ?? [])[0];
    const who = this.parts.flatMap(({ whoOfBroken }) => whoOfBroken?.(frame) ?? [])[0] ?? null;
    const message = described?.message ?? 'broken frame';
    const isCut = this.#kinds.some((kind) => isFor(kind, direction) && mayBegin(kind, frame) && kind.isCut(frame));
    const sentence = described?.fault ?? `${bytesCount(frame)}, ${isCut ? 'its end is missing' : 'wrong checksum'}`;
    const fields = described?.fields ?? [];
    return { decoder: this.decoder.name, kind: 'broken', message, key: 'broken frame', who, sentence, fields };
  }

  /** Returns a frame whose checksum over its question is wrong, or whose question is not known; null: it is right. */
  #unproved(frame: Uint8Array, found: FrameContent, kind: FrameKind, asked: AskedFrame | null): DecodedFrame | null {
    const { questionChecks } = kind;
    const { content } = found.sent ?? found;
    if (
      questionChecks.length === 0 ||
      (asked !== null && questionChecks.every((check) => check.isRightFor(asked.bytes, content, tailOf(found.form))))
    ) {
      return null;
    }
    const fault = asked === null ? 'its question is not known' : 'wrong checksum';
    return {
      decoder: this.decoder.name,
      kind: 'broken',
      message: 'broken frame',
      key: 'broken frame',
      who: null,
      sentence: `${bytesCount(frame)}, ${fault}`,
      fields: [],
    };
  }

  /** Returns the raw values of a frame of this decoder, by name. */
  rawsOf(frame: Uint8Array, direction: Direction): Map<string, number | bigint | string> {
    const { fields } = this.decode(frame, alone, direction);
    return new Map(
      fields.flatMap(({ name }) => {
        const raw = rawOf(fields, name);
        return raw === undefined ? [] : [[name, raw] as const];
      }),
    );
  }

  /** Decodes a right frame. `asked` is the question that it answers. */
  decode(frame: Uint8Array, link: FrameLink, direction: Direction, asked: AskedFrame | null = null): DecodedFrame {
    const kind = this.#kindOf(frame, direction);
    const found = this.#contentOf(frame, kind);
    const unproved = this.#unproved(frame, found, kind, asked);
    if (unproved !== null) {
      return unproved;
    }
    const { content, form } = found;
    const separators = this.#separators[this.#kinds.indexOf(kind)] ?? null;
    // Bytes behind an end marker have the checksum, so that it takes none before it.
    const end = Math.max(0, content.length - form.tail - (form.after > 0 ? 0 : lastSize(kind.checks, this.check)));
    const source = new FieldSource(content, { from: form.head, to: end }, found.wireOffset, separators);
    if (this.#hasLength) {
      source.raws.set('frame.length', content.length);
    }
    if (this.#hasDirection) {
      source.raws.set('frame.direction', direction);
    }
    if (this.#hasParts && source.parts !== null) {
      source.raws.set('frame.parts', source.parts.starts.length);
    }
    if (this.#questionFields.length > 0 && asked !== null) {
      const raws = asked.decoder.rawsOf(asked.bytes, asked.direction);
      for (const name of this.#questionFields) {
        const raw = raws.get(name);
        if (raw !== undefined) {
          source.raws.set(QUESTION + name, raw);
        }
      }
    }
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
    return new LazyFrame(this.decoder.name, draft, source.isShort, found, {
      who: this.#who,
      line: message?.line ?? this.#line,
      key: message?.key ?? this.#key,
      check: kind.checks.at(-1) ?? kind.questionChecks.at(-1) ?? (this.#kinds.length === 1 ? this.check : null),
    });
  }

  /** Returns the content of a right or broken frame of this decoder. */
  contentOf(frame: Uint8Array, direction: Direction = 'received'): FrameContent {
    return this.#contentOf(frame, this.#kindOf(frame, direction));
  }

  #contentOf(frame: Uint8Array, kind: FrameKind): FrameContent {
    const found = sentContent(frame, kind.formOf(frame));
    const changed = this.#transform?.(found.content);
    if (changed === undefined) {
      return found;
    }
    const { content, offsets } = changed;
    const { wireOffset } = found;
    return {
      form: found.form,
      content,
      wireOffset: offsets === null ? wireOffset : (at) => wireOffset(offsets[Math.min(at, content.length)] ?? at),
      sent: found,
    };
  }
}

/** Returns the content of a frame before its bytes are transformed. */
function sentContent(frame: Uint8Array, form: FrameForm): FrameContent {
  const decoded = form.decode?.(frame);
  if (decoded !== undefined && decoded !== null) {
    const { content, offsets } = decoded;
    return { form, content, wireOffset: (at) => offsets[Math.min(at, content.length)] ?? 0, sent: null };
  }
  const { skipped } = form;
  // Line ends are no content, but the end bytes of other framings are.
  if (skipped > 0 || form.isLine === true) {
    const content = frame.subarray(skipped, frame.length - form.tail);
    return { form: { ...form, tail: 0 }, content, wireOffset: (at) => at + skipped, sent: null };
  }
  return { form, content: frame, wireOffset: same, sent: null };
}

/** Bytes at the end of a content behind which no checksum without a place stands. */
const tailOf = ({ tail, after }: FrameForm) => (after > 0 ? 0 : tail);

const lastSize = (checks: readonly ContentCheck[], check: ContentCheck | null): number =>
  (checks.length > 0 ? checks : check === null ? [] : [check]).reduce(
    (sum, { isLast, isOfWire, size }) => sum + (isLast && !isOfWire ? size : 0),
    0,
  );

function shapesOf({ framing }: DecoderContent) {
  return framing.kind === 'any' ? framing.of : [framing];
}

const isFor = (kind: FrameKind | undefined, direction: Direction) =>
  kind?.direction === null || kind?.direction === direction;

function mayBegin({ matcher: { firstBytes } }: FrameKind, [first]: Uint8Array): boolean {
  return first !== undefined && (firstBytes?.includes(first) ?? true);
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
  readonly #found: FrameContent;
  readonly #makers: FrameMakers;

  constructor(decoder: string, draft: FrameDraft, isShort: boolean, found: FrameContent, makers: FrameMakers) {
    this.decoder = decoder;
    this.kind = draft.kind;
    this.message = draft.message;
    this.fields = draft.fields;
    this.#draft = draft;
    this.#isShort = isShort;
    this.#found = found;
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
    const { form } = this.#found;
    const sent = this.#found.sent ?? this.#found;
    if (check === null) {
      return undefined;
    }
    if (check.isOfWire) {
      const at = check.placeIn(0, this.#draft.wire.length, 0);
      return { from: at, to: at + check.size };
    }
    const at = check.placeIn(0, sent.content.length, tailOf(form));
    return { from: sent.wireOffset(at), to: sent.wireOffset(at + check.size) };
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
    return (raws) => messages.find(({ holds }) => holds(raws, ''));
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
    return byKey.get(key)?.find(({ holds }) => holds(raws, ''));
  };
}
