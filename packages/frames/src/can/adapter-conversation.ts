/**
 * Belonging of lines between a program and a CAN adapter: an answer to its command, and time stamps without their
 * wraps.
 */
import type { FrameLink } from '../frame-types.ts';
import { answerTo, type OpenQuestion, OpenQuestions } from '../open-questions.ts';
import type { ConversationFrame, StepConversation } from '../steps/step-types.ts';
import { lineText, readCanFrame, wordsOf } from './slcan-line.ts';

/** Time for an answer, in ms. */
const ANSWER_LIMIT = 1_000;

/** Time stamps count up to 59,999 ms by the manual. Some firmware counts the whole 16 bits. */
const MANUAL_PERIOD = 60_000;
const FULL_PERIOD = 65_536;
/** Stamps that are less than this older than the one before, in ms, are out of order: adapters have several buffers. */
const MAX_DISORDER = 1_000;

interface Waiting extends OpenQuestion {
  readonly letter: string;
  readonly isFrame: boolean;
}

/** Letters of commands that answer with a text that begins with the letter. */
const textLetters = new Set(['V', 'v', 'N', 'F']);

export class AdapterConversation implements StepConversation {
  readonly #limit: number;
  readonly #waiting = new OpenQuestions<Waiting>();
  readonly #stamps = new StampClock();

  /** @param limit Time for an answer in ms, from the end of its command. */
  constructor(limit = ANSWER_LIMIT) {
    this.#limit = limit;
  }

  add(frame: ConversationFrame): FrameLink {
    const notice: FrameLink = { role: 'notice', to: null, ms: null, missing: 0, related: [] };
    const text = lineText(frame.bytes);
    const can = text === null ? null : readCanFrame(frame.bytes, text.from, text.to);
    if (frame.direction === 'sent') {
      return text === null || text.to === text.from
        ? notice
        : this.#ask(frame, wordsOf(frame.bytes, text), can !== null, notice);
    }
    if (can !== null) {
      const adapterAt = can.stamp === null ? null : this.#stamps.unwrap(can.stamp, frame.from);
      return adapterAt === null ? notice : { ...notice, adapterAt };
    }
    const words = text === null ? null : wordsOf(frame.bytes, text);
    const fits = (one: Waiting) => isAnswer(words, one);
    const question = this.#waiting.inTime(frame.from).find(fits) ?? this.#waiting.late(frame.from).find(fits);
    if (question === undefined) {
      return notice;
    }
    this.#waiting.closeUpTo(question);
    return answerTo(question, frame.from);
  }

  #ask(frame: ConversationFrame, words: string, isFrame: boolean, notice: FrameLink): FrameLink {
    const { index, bytes, from, to } = frame;
    const letter = words.charAt(0);
    const rival = textLetters.has(letter) ? letter : isFrame ? 'frame' : 'command';
    // Some adapters confirm no frames.
    const question = { index, bytes, to, limit: this.#limit, rival, isOptional: isFrame, letter, isFrame };
    this.#waiting.ask(question, from);
    return { ...notice, role: 'question' };
  }

  unanswered(now: number) {
    return this.#waiting.unanswered(now);
  }
}

/** @param answer Text of the answer; null: a bell. */
function isAnswer(answer: string | null, { letter, isFrame }: Waiting): boolean {
  if (answer === null) {
    return true;
  }
  if (answer === 'z' || answer === 'Z') {
    return isFrame;
  }
  return answer === '' ? !textLetters.has(letter) : answer.charAt(0) === letter;
}

/** Time stamps of an adapter as a time without wraps. */
class StampClock {
  #period = MANUAL_PERIOD;
  /** Stamp, its unwrapped time, and the time of the port, all in ms; null before the first. */
  #last: { readonly stamp: number; readonly time: number; readonly at: number } | null = null;

  /** @param at Time of the line at the port. It tells how many times the stamp has wrapped in a long silence. */
  unwrap(stamp: number, at: number): number {
    if (stamp >= MANUAL_PERIOD) {
      this.#period = FULL_PERIOD;
    }
    let time = stamp;
    if (this.#last !== null) {
      const forward = (stamp - this.#last.stamp + this.#period) % this.#period;
      const step = forward > this.#period - MAX_DISORDER ? forward - this.#period : forward;
      const wraps = Math.max(0, Math.round((at - this.#last.at - step) / this.#period));
      time = this.#last.time + step + wraps * this.#period;
    }
    this.#last = { stamp, time, at };
    return time;
  }
}
