/** All frames of a port in order of time: questions, answers, lost frames. */
import type { DecoderMessage } from '@wirebench/contract/decoders';
import { type AskedFrame, alone, type CompiledDecoder } from './compiled-decoder.ts';
import { Echoes } from './echoes.ts';
import { bytesCount } from './frame-text.ts';
import type {
  Conversation,
  DecodedField,
  DecodedFrame,
  Direction,
  FieldValue,
  FrameLink,
  FrameSettings,
  PieceKind,
} from './frame-types.ts';
import { answerTo, type OpenQuestion, OpenQuestions } from './open-questions.ts';
import type { ConversationFrame, StepConversation } from './steps/step-types.ts';

const brokenFrame = 'broken frame';
const noFrame = {
  decoder: '',
  kind: 'left-over',
  message: 'no frame',
  key: 'no frame',
  who: null,
  fields: [],
} as const;

/** A question whose limit has passed, by its index. */
interface Unanswered {
  readonly index: number;
  readonly limit: number;
}

const none: readonly never[] = [];

/** Counted senders that are kept at once. The oldest is forgotten. */
const MAX_SENDERS = 1_024;

interface Question extends OpenQuestion {
  readonly message: string;
  readonly direction: Direction;
  /** Values that its answer has in common with it, of the fields that each decoder of the line names. */
  readonly shared: (names: readonly string[]) => string;
}

/** A question with the party that asked it. */
interface Asked {
  readonly question: Question;
  readonly party: Party;
}

export class FrameConversation implements Conversation {
  readonly #decoders: readonly CompiledDecoder[];
  readonly #parties: readonly Party[];
  #index = 0;

  constructor(decoders: readonly CompiledDecoder[], settings: FrameSettings) {
    this.#decoders = decoders;
    const parties: Party[] = [];
    for (const decoder of decoders) {
      parties.push(new Party(decoder, settings, parties));
    }
    this.#parties = parties;
  }

  add(bytes: Uint8Array, kind: PieceKind, direction: Direction, from: number, to: number): FrameLink {
    const index = this.#index++;
    if (kind !== 'frame') {
      if (kind === 'broken') {
        for (const party of this.#parties) {
          party.addBroken({ bytes, index, direction, from, to });
        }
      }
      return alone;
    }
    const found = this.#find(bytes, direction);
    return this.#parties[found]?.add({ bytes, index, direction, from, to }) ?? alone;
  }

  unanswered(now: number): readonly Unanswered[] {
    let all: readonly Unanswered[] = none;
    for (const party of this.#parties) {
      const found = party.unanswered(now);
      if (found.length > 0) {
        all = [...all, ...found].toSorted((one, other) => one.index - other.index);
      }
    }
    return all;
  }

  decode(frame: Uint8Array, kind: PieceKind, link: FrameLink, direction: Direction): DecodedFrame {
    if (kind === 'frame') {
      const decoder = this.#decoders[this.#find(frame, direction)];
      if (decoder !== undefined) {
        return decoder.decode(frame, link, direction, decoder.needsQuestion ? this.#asked(link) : null);
      }
    }
    const only = this.#decoders.length === 1 ? this.#decoders[0] : undefined;
    if (kind === 'broken') {
      const decoder =
        only ??
        this.#decoders.find((one) => one.isBroken(frame, direction)) ??
        this.#decoders.find((one) => one.settled(frame) === -frame.length);
      const sentence = `${bytesCount(frame)}, wrong checksum`;
      return (
        decoder?.decodeBroken(frame, direction) ?? {
          ...noFrame,
          kind: 'broken',
          message: brokenFrame,
          key: brokenFrame,
          sentence,
        }
      );
    }
    return {
      ...noFrame,
      sentence: `${bytesCount(frame)}, no ${only === undefined ? '' : `${only.decoder.title} `}frame`,
    };
  }

  /** Returns the question of an answer; null: it is not known. */
  #asked({ role, asked: direction, related: [bytes] }: FrameLink): AskedFrame | null {
    if (role !== 'answer' || bytes === undefined || direction === undefined) {
      return null;
    }
    const decoder = this.#decoders[this.#find(bytes, direction)];
    return decoder === undefined ? null : { bytes, direction, decoder };
  }

  /** Returns the index of the decoder that has this frame; −1: none. */
  #find(frame: Uint8Array, direction: Direction): number {
    if (this.#decoders.length === 1) {
      return 0;
    }
    const found = this.#decoders.findIndex((decoder) => decoder.isFrame(frame, direction));
    return found === -1 ? this.#decoders.findIndex((decoder) => decoder.settled(frame) === frame.length) : found;
  }
}

/** Frames of one decoder. */
class Party {
  readonly #decoder: CompiledDecoder;
  readonly #steps: readonly StepConversation[];
  readonly #limit: number;
  readonly #isPaired: boolean;
  readonly #echoes: Echoes;
  readonly #questions = new OpenQuestions<Question>();
  /** Newest sequence number by sender. */
  readonly #newest = new Map<string, number>();

  /** Decoders of the line, this one included. */
  readonly #all: readonly Party[];

  constructor(decoder: CompiledDecoder, settings: FrameSettings, all: readonly Party[]) {
    this.#all = all;
    const { pairing, messages } = decoder.decoder;
    this.#decoder = decoder;
    this.#steps = decoder.parts.flatMap(({ converse }) => converse?.() ?? []);
    this.#limit = settings.answerLimit ?? pairing?.limit ?? 1_000;
    this.#echoes = new Echoes(this.#limit);
    this.#isPaired = messages.some(({ question, answers }) => question || answers.length > 0);
  }

  add(frame: ConversationFrame): FrameLink {
    for (const step of this.#steps) {
      const link = step.add(frame);
      if (link !== undefined) {
        return link;
      }
    }
    const { sequence } = this.#decoder.decoder;
    if (!this.#isPaired && sequence === undefined) {
      return alone;
    }
    const decoded = this.#decoder.decode(frame.bytes, alone, frame.direction);
    const missing = sequence === undefined ? 0 : this.#missing(decoded.fields, sequence);
    return this.#isPaired ? this.#paired(frame, decoded, missing) : { ...alone, missing };
  }

  addBroken(frame: ConversationFrame): void {
    for (const step of this.#steps) {
      step.addBroken?.(frame);
    }
  }

  /** Asked for each piece: nothing is built where nothing waits. */
  unanswered(now: number): readonly Unanswered[] {
    let all = this.#questions.unanswered(now);
    for (const step of this.#steps) {
      const found = step.unanswered?.(now) ?? none;
      if (found.length > 0) {
        all = [...all, ...found];
      }
    }
    return all;
  }

  #paired(frame: ConversationFrame, decoded: DecodedFrame, missing: number): FrameLink {
    const { bytes, index, direction, from, to } = frame;
    if (direction === 'received' && this.#echoes.take(frame)) {
      return { ...alone, missing };
    }
    const message = this.#messageOf(decoded);
    const names = this.#decoder.decoder.pairing?.same ?? [];
    const isAsked = this.#answerTest(frame, decoded);
    const answered =
      this.#newestOf(isAsked, (party) => party.#questions.inTime(from)) ??
      // After the limit, a frame that may be a question is one again.
      (message?.question === true ? undefined : this.#newestOf(isAsked, (party) => party.#questions.late(from)));
    if (answered !== undefined) {
      const { question, party } = answered;
      party.#questions.close(question);
      party.#echoes.answered(question.index);
      const asked = this.#decoder.needsQuestion ? { asked: question.direction } : {};
      return { ...answerTo(question, from), ...asked, missing };
    }
    if (message?.question === true) {
      const { fields } = decoded;
      const shared = (wanted: readonly string[]) => sharedText(fields, wanted);
      const rival = `${message.name} ${shared(names)}`;
      const question = { index, bytes, message: message.name, direction, shared, to, limit: this.#limit, rival };
      this.#questions.ask(question, from);
      if (direction === 'sent') {
        const echo = this.#messageOf(this.#decoder.decode(bytes, alone, 'received'));
        this.#echoes.await(frame, echo?.answers.includes(message.name) !== true);
      }
      return { ...alone, role: 'question', missing };
    }
    return { ...alone, role: (message?.answers.length ?? 0) > 0 ? 'answer' : 'notice', missing };
  }

  /** Returns what tests whether this frame answers a question. */
  #answerTest({ bytes, direction }: ConversationFrame, decoded: DecodedFrame): (asked: Asked) => boolean {
    const decoder = this.#decoder;
    const isIn = (frame: DecodedFrame, { question, party }: Asked) => {
      const name = party === this ? question.message : `${party.#decoder.decoder.name}.${question.message}`;
      const message = this.#messageOf(frame);
      const names = message?.same ?? decoder.decoder.pairing?.same ?? [];
      return message?.answers.includes(name) === true && question.shared(names) === sharedText(frame.fields, names);
    };
    if (!decoder.needsQuestion) {
      return (asked) => isIn(decoded, asked);
    }
    return (asked) => {
      const { bytes: question, direction: side } = asked.question;
      const link: FrameLink = { ...alone, role: 'answer', related: [question], asked: side };
      const known = { bytes: question, direction: side, decoder: asked.party.#decoder };
      const frame = decoder.decode(bytes, link, direction, known);
      return frame.kind !== 'broken' && isIn(frame, asked);
    };
  }

  /** Returns the newest question of all decoders of the line that passes a test. */
  #newestOf(isAsked: (asked: Asked) => boolean, questionsOf: (party: Party) => readonly Question[]): Asked | undefined {
    let newest: Asked | undefined;
    for (const party of this.#all) {
      const question = questionsOf(party).findLast((one) => isAsked({ question: one, party }));
      if (question !== undefined && question.index > (newest?.question.index ?? -1)) {
        newest = { question, party };
      }
    }
    return newest;
  }

  #messageOf({ message }: DecodedFrame): DecoderMessage | undefined {
    return this.#decoder.decoder.messages.find(({ name }) => name === message);
  }

  /** Returns the number of frames that a sequence number has jumped over. A number that goes back by half is a restart. */
  #missing(fields: readonly DecodedField[], { field, per }: { field: string; per: readonly string[] }): number {
    const number = rawOf(fields, field);
    if (typeof number !== 'number') {
      return 0;
    }
    const found = fields.find(({ name }) => name === field) as DecodedField;
    const sender = sharedText(fields, per);
    const before = this.#newest.get(sender);
    this.#newest.delete(sender);
    this.#newest.set(sender, number);
    if (this.#newest.size > MAX_SENDERS) {
      for (const [oldest] of this.#newest) {
        this.#newest.delete(oldest);
        break;
      }
    }
    if (before === undefined || before === number) {
      return 0;
    }
    const range = 256 ** (found.to - found.from);
    const jump = (number - before - 1 + range) % range;
    return jump < range / 2 ? jump : 0;
  }
}

function rawOf(fields: readonly DecodedField[], name: string): FieldValue | undefined {
  const field = fields.find((one) => one.name === name);
  return field?.raw ?? field?.value;
}

function sharedText(fields: readonly DecodedField[], names: readonly string[]): string {
  return names.map((name) => String(rawOf(fields, name))).join(' ');
}
