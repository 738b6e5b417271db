/** Step `ubx`: polls with their answers, settings with their acknowledgement, and settings by key. */
import { Echoes } from '../echoes.ts';
import type { DecodedField, FrameLink } from '../frame-types.ts';
import { answerTo, type OpenQuestion, OpenQuestions } from '../open-questions.ts';
import type { ConversationFrame, FrameDraft, Step, StepConversation } from '../steps/step-types.ts';

/** Payload offset, and offsets of class, id and length in a frame. */
const PAYLOAD = 6;
const CLASS = 2;
const ID = 3;
const LENGTH = 4;
const CFG = 0x06;
const ACK = 0x05;
/** Bytes behind the payload. */
const CHECKSUM = 2;

/** Time for an answer in ms. u-blox: within one second. */
const ANSWER_LIMIT = 1_000;

export const ubxStep: Step = {
  prepare(decoder, settings) {
    const names = new Map<number, string>();
    for (const { name, when } of decoder.messages) {
      const [group, id] = ['class', 'id'].map((field) => when.find((condition) => condition.field === field)?.is);
      if (typeof group === 'number' && typeof id === 'number') {
        names.set(keyOf(group, id), name.split(',')[0] as string);
      }
    }
    return {
      decode: (draft) => decode(draft, names),
      describeBroken: (frame) => ({ message: nameOf(keyIn(frame, CLASS), names) }),
      converse: () => new UbxConversation(settings.answerLimit ?? ANSWER_LIMIT),
    };
  },
};

function keyOf(group: number, id: number): number {
  return group * 256 + id;
}

function keyIn(frame: Uint8Array, at: number): number {
  return keyOf(frame[at] ?? 0, frame[at + 1] ?? 0);
}

const hex = (value: number, digits: number) => `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;

function nameOf(key: number, names: ReadonlyMap<number, string>): string {
  return names.get(key) ?? `class ${hex(key >> 8, 2)}, id ${hex(key & 255, 2)}`;
}

function decode(draft: FrameDraft, names: ReadonlyMap<number, string>): void {
  const { wire } = draft;
  const key = keyIn(wire, CLASS);
  const name = names.get(key);
  const isPoll = wire.length === PAYLOAD + CHECKSUM;
  draft.message = nameOf(key, names);
  draft.who = null;
  if (isPoll) {
    draft.sentence = `asks for ${draft.message}`;
    return;
  }
  if (name === undefined) {
    const to = wire.length - CHECKSUM;
    draft.fields.push({ name: 'payload', value: wire.slice(PAYLOAD, to), from: PAYLOAD, to });
    draft.sentence = `${to - PAYLOAD} bytes`;
    return;
  }
  if (wire[CLASS] === ACK) {
    const word = nameOf(keyIn(wire, PAYLOAD), names);
    draft.sentence = wire[ID] === 1 ? `took ${word}` : `refused ${word}`;
    draft.kind = wire[ID] === 1 ? draft.kind : 'exception';
    return;
  }
  if (name === 'CFG-VALSET' || (name === 'CFG-VALGET' && wire[PAYLOAD] === 1)) {
    addSettings(draft);
  } else if (name === 'CFG-VALGET') {
    addKeys(draft);
  }
}

/** Offset of the list of keys in CFG-VALSET and CFG-VALGET. */
const KEYS = PAYLOAD + 4;
/** Sizes of values in bytes, by bits 28 to 30 of their key (F9 interface description, 6.2). */
const valueSizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 };

/** Adds a field for each key with its value: `x20910007`. */
function addSettings(draft: FrameDraft): void {
  const { wire } = draft;
  const view = new DataView(wire.buffer, wire.byteOffset, wire.byteLength);
  const end = wire.length - CHECKSUM;
  const shown: string[] = [];
  let at = KEYS;
  while (at + 4 <= end) {
    const key = view.getUint32(at, true);
    const size = valueSizes[(key >>> 28) & 7] ?? 0;
    if (size === 0 || at + 4 + size > end) {
      break;
    }
    const value = valueAt(view, at + 4, size);
    draft.fields.push(settingField(key, value, at + 4, at + 4 + size));
    shown.push(`${hex(key, 8)} = ${value}`);
    at += 4 + size;
  }
  draft.sentence = shown.length === 0 ? 'no settings' : listText(shown);
}

function listText(shown: readonly string[]): string {
  return shown.length > 8 ? `${shown.slice(0, 8).join(', ')}, ${shown.length - 8} more` : shown.join(', ');
}

function settingField(key: number, value: number | bigint, from: number, to: number): DecodedField {
  return { name: `x${key.toString(16).padStart(8, '0')}`, value, from, to, place: `key ${hex(key, 8)}` };
}

function valueAt(view: DataView, at: number, size: number): number | bigint {
  switch (size) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at, true);
    case 4:
      return view.getUint32(at, true);
    default:
      return view.getBigUint64(at, true);
  }
}

function addKeys(draft: FrameDraft): void {
  const { wire } = draft;
  const view = new DataView(wire.buffer, wire.byteOffset, wire.byteLength);
  const shown: string[] = [];
  for (let at = KEYS; at + 4 <= wire.length - CHECKSUM; at += 4) {
    const key = view.getUint32(at, true);
    draft.fields.push({ name: `key${(at - KEYS) / 4 + 1}`, value: key, named: hex(key, 8), from: at, to: at + 4 });
    shown.push(hex(key, 8));
  }
  draft.sentence = `asks for ${listText(shown)}`;
}

/** A message that waits for its answer. */
interface Question extends OpenQuestion {
  readonly key: number;
  /** True while it waits for the message with its own class and id. */
  asks: boolean;
  /** Waits for an acknowledgement. */
  readonly confirms: boolean;
}

class UbxConversation implements StepConversation {
  readonly #limit: number;
  readonly #echoes: Echoes;
  readonly #questions = new OpenQuestions<Question>();
  /** Classes and ids of messages that came unasked: receivers repeat them, so that none is a late answer. */
  readonly #unasked = new Set<number>();

  constructor(limit: number) {
    this.#limit = limit;
    this.#echoes = new Echoes(limit);
  }

  add(frame: ConversationFrame): FrameLink {
    const { bytes, index, direction, from, to } = frame;
    if (direction === 'received' && this.#echoes.take(frame)) {
      return { role: 'notice', to: null, ms: null, missing: 0, related: [] };
    }
    const key = keyIn(bytes, CLASS);
    if (direction === 'sent') {
      const asks = bytes[LENGTH] === 0 && bytes[LENGTH + 1] === 0;
      const confirms = bytes[CLASS] === CFG;
      if (!asks && !confirms) {
        return { role: 'notice', to: null, ms: null, missing: 0, related: [] };
      }
      // No answer has the bytes of its question.
      this.#echoes.await(frame, true);
      const isKeyPoll = key === keyOf(CFG, 0x8b);
      const question = {
        index,
        bytes,
        key,
        to,
        limit: this.#limit,
        rival: String(key),
        asks: asks || isKeyPoll,
        confirms,
      };
      this.#questions.ask(question, from);
      return { role: 'question', to: null, ms: null, missing: 0, related: [] };
    }
    const isAck = bytes[CLASS] === ACK && bytes.length === PAYLOAD + 2 + CHECKSUM;
    const about = isAck ? keyIn(bytes, PAYLOAD) : key;
    const isAsked = (one: Question) => one.key === about && (isAck ? one.confirms : one.asks);
    const question =
      this.#questions.inTime(from).find(isAsked) ??
      (this.#unasked.has(key) ? undefined : this.#questions.late(from).find(isAsked));
    if (question === undefined) {
      if (!isAck) {
        this.#unasked.add(key);
      }
      return { role: 'notice', to: null, ms: null, missing: 0, related: [] };
    }
    if (isAck || !question.confirms) {
      this.#questions.close(question);
    } else {
      // The acknowledgement follows the answer.
      question.asks = false;
    }
    return answerTo(question, from);
  }

  unanswered(now: number) {
    return this.#questions.unanswered(now);
  }
}
