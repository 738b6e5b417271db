/**
 * Decides which Modbus frame is a request and which is its answer: by function, unit, address and time. One port may hear
 * both sides, so the direction alone does not say it.
 */
import type { FrameLink } from '../../frame-types.ts';
import type { ConversationFrame, StepConversation } from '../step-types.ts';
import { EXCEPTION, functions, isAnswerForm, isRequestForm, word } from './modbus-shapes.ts';

/** Requests that wait at once. The oldest is forgotten. */
const MAX_WAITING = 64;

/** Address to which all units listen, and none answers. */
const BROADCAST = 0;

interface Waiting extends ConversationFrame {
  readonly unit: number;
  readonly code: number;
}

/** @param limit Time for an answer in ms, from the end of its request. */
export class ModbusPairing implements StepConversation {
  readonly #limit: number;
  #waiting: Waiting[] = [];
  /**
   * `master` after a request was sent: then a received frame that may be an answer is no request. `shared` after a request
   * of another master was received. `device` after an answer was sent to a frame that came in.
   */
  #side: 'unknown' | 'master' | 'shared' | 'device' = 'unknown';
  /** Newest received frame with the form of a request that was taken for an answer to none. */
  #orphan: Waiting | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(frame: ConversationFrame): FrameLink {
    const [unit = 0, rawCode = 0] = frame.bytes;
    const code = rawCode & ~EXCEPTION;
    const mayBeAsked = (one: Waiting) =>
      one.unit === unit &&
      one.code === code &&
      frame.from <= one.to + this.#limit &&
      !(one.direction === 'sent' && frame.direction === 'sent');
    const orphan = frame.direction === 'sent' ? this.#orphan : undefined;
    if (orphan !== undefined && mayBeAsked(orphan) && isAnswerTo(frame.bytes, orphan.bytes)) {
      this.#side = 'device';
      this.#waiting.push(orphan);
    }
    const asked = this.#waiting.findLast(mayBeAsked);
    if (rawCode >= EXCEPTION) {
      return this.#answer(frame, asked);
    }
    if (asked !== undefined && isAnswerTo(frame.bytes, asked.bytes)) {
      return this.#answer(frame, asked);
    }
    if (this.#isEcho(frame)) {
      return { role: 'notice', to: null, ms: null, missing: 0, related: [] };
    }
    if (this.#isRequest(frame)) {
      if (frame.direction === 'sent' && this.#side === 'unknown') {
        this.#side = 'master';
      } else if (frame.direction === 'received' && isOnlyRequest(frame.bytes)) {
        this.#side = 'shared';
      }
      if (unit !== BROADCAST) {
        this.#waiting.push({ ...frame, unit, code });
        if (this.#waiting.length > MAX_WAITING) {
          this.#waiting.shift();
        }
      }
      return { role: 'question', to: null, ms: null, missing: 0, related: [] };
    }
    if (frame.direction === 'received') {
      this.#orphan = isRequestForm(frame.bytes, true) ? { ...frame, unit, code } : undefined;
    }
    return this.#answer(frame, asked !== undefined && isSameAddress(frame.bytes, asked.bytes) ? asked : undefined);
  }

  /** A broken frame within the limit is an answer that was damaged: its question does not miss one. */
  addBroken({ bytes, direction, from }: ConversationFrame): void {
    const open = this.#waiting.filter(
      (one) => from <= one.to + this.#limit && !(one.direction === 'sent' && direction === 'sent'),
    );
    const damaged = open.findLast(({ unit }) => unit === bytes[0]) ?? open.at(-1);
    this.#waiting = this.#waiting.filter((one) => one !== damaged);
  }

  unanswered(now: number): { index: number; limit: number }[] {
    const passed = this.#waiting.filter(({ to }) => now > to + this.#limit);
    if (passed.length > 0) {
      this.#waiting = this.#waiting.filter((one) => !passed.includes(one));
    }
    return passed.map(({ index }) => ({ index, limit: this.#limit }));
  }

  /** Returns true for a request that was sent from here and comes back through an adapter that hears what it sends. */
  #isEcho({ bytes, direction }: ConversationFrame): boolean {
    return (
      direction === 'received' &&
      isOnlyRequest(bytes) &&
      this.#waiting.some((one) => one.direction === 'sent' && isWhole(one.bytes, bytes))
    );
  }

  #isRequest({ bytes, direction }: ConversationFrame): boolean {
    if (direction === 'received' && this.#side === 'master' && !isOnlyRequest(bytes)) {
      return false;
    }
    if (!functions.has(bytes[1] as number)) {
      return true;
    }
    return isRequestForm(bytes, isAnswerForm(bytes));
  }

  #answer({ from }: ConversationFrame, asked: Waiting | undefined): FrameLink {
    if (asked === undefined) {
      return { role: 'answer', to: null, ms: null, missing: 0, related: [] };
    }
    this.#waiting.splice(this.#waiting.indexOf(asked), 1);
    const ms = Math.max(0, from - asked.to);
    return { role: 'answer', to: asked.index, ms, missing: 0, related: [asked.bytes] };
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

const isWhole = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && isEqual(one, other, 0, one.length);

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
      return isAnswerForm(answer) && answer[2] === request[2];
    default:
      return functions.has(request[1] as number) ? isAnswerForm(answer) : true;
  }
}

/** Returns true unless both frames name an address, and not the same. */
function isSameAddress(answer: Uint8Array, request: Uint8Array): boolean {
  return [5, 6, 15, 16, 22].includes(request[1] as number) ? isEqual(answer, request, 2, 4) : true;
}
