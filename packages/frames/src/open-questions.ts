/** Questions that wait for an answer. One rule for every protocol: answers in time, late ones, and none. */
import type { FrameLink } from './frame-types.ts';

/** Questions that are kept at once. The oldest is forgotten. */
const MAX_QUESTIONS = 64;

/** A frame that comes later than this many limits after a question is no answer to it. */
const LATEST = 10;

export interface OpenQuestion {
  readonly index: number;
  readonly bytes: Uint8Array;
  /** Time after its last byte, in ms. */
  readonly to: number;
  /** Time for its answer in ms, from its end. */
  readonly limit: number;
  /** Questions with an equal text have the same answers: a newer one gets the answer that comes late. */
  readonly rival: string;
  /** True: it may be answered by nothing, so that a missing answer is not reported. */
  readonly isOptional?: boolean;
}

interface Entry<Question> {
  readonly question: Question;
  /** True: its limit has passed, and the caller knows. */
  isReported: boolean;
  /** True: a newer question has the same answers. */
  isReplaced: boolean;
}

export class OpenQuestions<Question extends OpenQuestion> {
  /** Oldest first. */
  #entries: Entry<Question>[] = [];

  /** @param from Time of the question's first byte, in ms. */
  ask(question: Question, from: number): void {
    for (const entry of this.#entries) {
      entry.isReplaced ||= entry.question.rival === question.rival && hasPassed(entry.question, from);
    }
    this.#entries.push({ question, isReported: question.isOptional === true, isReplaced: false });
    if (this.#entries.length > MAX_QUESTIONS) {
      this.#entries.shift();
    }
  }

  /** Returns the questions that a frame at this time answers within their limits, oldest first. */
  inTime(from: number): readonly Question[] {
    return this.#questions(({ question }) => !hasPassed(question, from));
  }

  /** Returns the questions that a frame at this time answers late, if it fits: oldest first. */
  late(from: number): readonly Question[] {
    return this.#questions(
      ({ question, isReplaced }) => hasPassed(question, from) && !isReplaced && !isTooOld(question, from),
    );
  }

  #questions(isWanted: (entry: Entry<Question>) => boolean): readonly Question[] {
    return this.#entries.length === 0 ? none : this.#entries.filter(isWanted).map(({ question }) => question);
  }

  /** Takes note that a question waits no longer. */
  close(question: Question): void {
    this.#entries = this.#entries.filter((entry) => entry.question !== question);
  }

  /** Closes a question and all that were asked before it: answers come in the order of their questions. */
  closeUpTo(question: Question): void {
    this.#entries.splice(0, 1 + this.#entries.findIndex((entry) => entry.question === question));
  }

  /** Returns questions whose limit has passed without an answer, each once. They may still be answered late. */
  unanswered(now: number): readonly { readonly index: number; readonly limit: number }[] {
    if (this.#entries.length === 0) {
      return none;
    }
    const passed = this.#entries.filter(({ question, isReported }) => !isReported && hasPassed(question, now));
    for (const entry of passed) {
      entry.isReported = true;
    }
    if (this.#entries.some((entry) => isOver(entry, now))) {
      this.#entries = this.#entries.filter((entry) => !isOver(entry, now));
    }
    return passed.map(({ question: { index, limit } }) => ({ index, limit }));
  }
}

const none: readonly never[] = [];

const hasPassed = ({ to, limit }: OpenQuestion, now: number) => now > to + limit;
const isTooOld = ({ to, limit }: OpenQuestion, now: number) => now > to + LATEST * limit;

/** Returns true for a question that nothing answers any more, so that every further frame need not look at it. */
const isOver = ({ question, isReported, isReplaced }: Entry<OpenQuestion>, now: number) =>
  isReported && (isTooOld(question, now) || (isReplaced && hasPassed(question, now)));

/**
 * Links an answer with its question.
 *
 * @param from Time of the answer's first byte, in ms.
 * @param related Earlier frames that are needed to read it, besides the question.
 */
export function answerTo(question: OpenQuestion, from: number, related: readonly Uint8Array[] = []): FrameLink {
  return {
    role: 'answer',
    to: question.index,
    ms: Math.max(0, from - question.to),
    ...(hasPassed(question, from) && { isLate: true }),
    missing: 0,
    related: [question.bytes, ...related],
  };
}
