/**
 * Decides which Modbus frame is a request and which is its answer: by function, unit, address and time. One port may hear
 * both sides, so the direction alone does not say it.
 */
import { Echoes, isSame } from '../../echoes.ts';
import type { FrameLink } from '../../frame-types.ts';
import { answerTo, type OpenQuestion, OpenQuestions } from '../../open-questions.ts';
import type { ConversationFrame, StepConversation } from '../step-types.ts';
import {
  CRC,
  EXCEPTION,
  functions,
  hasAnswerLength,
  hasOpenLength,
  isAnswerForm,
  isRequestForm,
} from './modbus-shapes.ts';
import { word } from './register-tables.ts';

/** Address to which all units listen, and none answers. */
const BROADCAST = 0;

const alone: FrameLink = { role: 'notice', to: null, ms: null, missing: 0, related: [] };

interface Waiting extends ConversationFrame, OpenQuestion {
  readonly unit: number;
  readonly code: number;
}

/** @param limit Time for an answer in ms, from the end of its request. */
export class ModbusPairing implements StepConversation {
  readonly #limit: number;
  readonly #echoes: Echoes;
  readonly #waiting = new OpenQuestions<Waiting>();
  /**
   * `master` after a request was sent: then a received frame that may be an answer is no request. `others` after a request
   * of another master was received, or an answer was sent to one.
   */
  #side: 'unknown' | 'master' | 'others' = 'unknown';
  /** Newest received frame with the form of a request that was taken for an answer to none. */
  #orphan: Waiting | undefined;
  /** Newest sent request whose answer repeated it. */
  #repeated: Waiting | undefined;

  constructor(limit: number) {
    this.#limit = limit;
    this.#echoes = new Echoes(limit);
  }

  add(frame: ConversationFrame): FrameLink {
    if (frame.direction === 'received' && this.#echoes.take(frame)) {
      return alone;
    }
    const link = this.#linkOf(frame);
    if (frame.direction === 'sent') {
      this.#echoes.await(frame, link.role === 'question' ? !mayRepeat(frame.bytes) : isOnlyAnswer(frame.bytes));
    } else if (link.to !== null) {
      this.#echoes.answered(link.to);
    }
    return link;
  }

  #linkOf(frame: ConversationFrame): FrameLink {
    const { bytes, direction } = frame;
    const [unit = 0, rawCode = 0] = bytes;
    const code = rawCode & ~EXCEPTION;
    const mayBeAsked = (one: Waiting) =>
      one.unit === unit && one.code === code && !(one.direction === 'sent' && direction === 'sent');
    const orphan = direction === 'sent' ? this.#orphan : undefined;
    if (
      orphan !== undefined &&
      mayBeAsked(orphan) &&
      frame.from <= orphan.to + this.#limit &&
      isAnswerTo(bytes, orphan.bytes)
    ) {
      this.#side = 'others';
      this.#waiting.ask(orphan, orphan.from);
    }
    const inTime = this.#waiting.inTime(frame.from).filter(mayBeAsked);
    const asked = inTime.at(-1);
    if (rawCode >= EXCEPTION) {
      return this.#answer(frame, asked ?? this.#waiting.late(frame.from).findLast(mayBeAsked));
    }
    const fit = inTime.findLast((one) => isAnswerTo(bytes, one.bytes));
    if (fit !== undefined) {
      this.#repeated = fit.direction === 'sent' && isSame(bytes, fit.bytes) ? fit : undefined;
      return this.#answer(frame, fit);
    }
    if (this.#isRequest(frame, asked)) {
      if (direction === 'sent' && this.#side === 'unknown') {
        this.#side = 'master';
      } else if (direction === 'received' && isOnlyRequest(bytes)) {
        this.#side = 'others';
      }
      if (unit !== BROADCAST) {
        this.#waiting.ask(this.#request(frame, unit, code), frame.from);
      }
      return { ...alone, role: 'question' };
    }
    if (direction === 'received') {
      this.#orphan = isRequestForm(bytes, true) ? this.#request(frame, unit, code) : undefined;
      this.#learnEcho(frame);
    }
    const isTo = asked !== undefined && isSameAddress(bytes, asked.bytes);
    const late = () =>
      this.#waiting.late(frame.from).findLast((one) => mayBeAsked(one) && isAnswerTo(bytes, one.bytes));
    return isTo || hasAnswerLength(bytes) ? this.#answer(frame, isTo ? asked : late()) : alone;
  }

  #request(frame: ConversationFrame, unit: number, code: number): Waiting {
    // Answers to writes name the address that was written.
    const address = namesAddress(code) ? ` ${word(frame.bytes, 2)}` : '';
    return { ...frame, unit, code, limit: this.#limit, rival: `${unit} ${code}${address}` };
  }

  /** Two frames that repeat one request are its echo and its answer. The first was taken for the answer. */
  #learnEcho({ bytes, from }: ConversationFrame): void {
    const repeated = this.#side === 'master' ? this.#repeated : undefined;
    if (repeated !== undefined && from <= repeated.to + this.#limit && isSame(bytes, repeated.bytes)) {
      this.#echoes.expect();
    }
    this.#repeated = undefined;
  }

  /** A broken frame within the limit is an answer that was damaged: its question does not miss one. */
  addBroken(frame: ConversationFrame): void {
    const { bytes, direction, from } = frame;
    if (direction === 'received' && this.#echoes.takeBroken(frame)) {
      return;
    }
    const open = this.#waiting.inTime(from).filter((one) => !(one.direction === 'sent' && direction === 'sent'));
    const damaged = open.findLast(({ unit }) => unit === bytes[0]) ?? open.at(-1);
    if (damaged !== undefined) {
      this.#waiting.close(damaged);
    }
  }

  unanswered(now: number) {
    return this.#waiting.unanswered(now);
  }

  /** @param asked Newest request that this frame may answer. */
  #isRequest({ bytes, direction }: ConversationFrame, asked: Waiting | undefined): boolean {
    if (direction === 'received' && this.#side === 'master' && !isOnlyRequest(bytes)) {
      return false;
    }
    if (hasOpenLength(bytes, bytes.length - CRC) || isRequestForm(bytes, isAnswerForm(bytes))) {
      return true;
    }
    // A master may send a frame of any length. It asks, whatever comes back.
    return direction === 'sent' && this.#side !== 'others' && asked === undefined && !hasAnswerLength(bytes);
  }

  #answer({ from }: ConversationFrame, asked: Waiting | undefined): FrameLink {
    if (asked === undefined) {
      return { ...alone, role: 'answer' };
    }
    this.#waiting.close(asked);
    return answerTo(asked, from);
  }
}

const isEqual = (one: Uint8Array, other: Uint8Array, from: number, to: number) => {
  for (let at = from; at < to; at++) {
    if (one[at] !== other[at]) {
      return false;
    }
  }
  return true;
};

/** Returns true for a frame that can be no answer. */
const isOnlyRequest = (bytes: Uint8Array) => isRequestForm(bytes, true) && !isAnswerForm(bytes);

/** Returns true for a frame that can be no request. */
const isOnlyAnswer = (bytes: Uint8Array) =>
  (bytes[1] as number) >= EXCEPTION || (functions.has(bytes[1] as number) && !isRequestForm(bytes, true));

/** Returns true for a request whose answer may be the same bytes. */
const mayRepeat = (bytes: Uint8Array) => bytes[0] !== BROADCAST && isAnswerTo(bytes, bytes);

/** Returns true if a frame of the same unit and function can be the answer to a request, and no request. */
export function isAnswerTo(answer: Uint8Array, request: Uint8Array): boolean {
  switch (request[1]) {
    case 1:
    case 2:
      return isAnswerForm(answer) && answer[2] === Math.ceil(word(request, 4) / 8);
    case 3:
    case 4:
      return isAnswerForm(answer) && answer[2] === 2 * word(request, 4);
    case 5:
    case 6:
    case 21:
    case 22:
      return answer.length === request.length && isEqual(answer, request, 2, answer.length);
    case 8:
      return answer.length === request.length && isEqual(answer, request, 2, 4);
    case 15:
    case 16:
      return isAnswerForm(answer) && isEqual(answer, request, 2, 6);
    case 20:
      return isAnswerForm(answer) && !isEqual(answer, request, 0, answer.length);
    case 23:
      return isAnswerForm(answer) && answer[2] === 2 * word(request, 4);
    case 43:
      return (hasOpenLength(request, request.length - CRC) || isAnswerForm(answer)) && answer[2] === request[2];
    default:
      return functions.has(request[1] as number) ? isAnswerForm(answer) : true;
  }
}

/** Returns true unless both frames name an address, and not the same. */
function isSameAddress(answer: Uint8Array, request: Uint8Array): boolean {
  return namesAddress(request[1] as number) ? isEqual(answer, request, 2, 4) : true;
}

/** Returns true for a function whose answer has the address of its request. */
const namesAddress = (code: number) => [5, 6, 15, 16, 22].includes(code);
