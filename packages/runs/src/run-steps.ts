/**
 * Runs messages one after the other, with waits for answers, branches, pauses and repetitions. Independent of panels
 * and texts: ports and time come from the caller as `RunPort`.
 */
import type { AnswerPattern, Exchange, ExchangeOutcome } from '@wirebench/serial';
import { Captures, type Template } from './captures.ts';
import type { FileWay } from './pinned-message.ts';

/** Way of a run after an answer: `goto` has the index of a step. */
export type StepThen =
  | { readonly kind: 'next' | 'again' }
  | { readonly kind: 'goto'; readonly step: number }
  | { readonly kind: 'stop'; readonly passed: boolean; readonly say: string };

/** Answers of a step, and what follows. */
export interface StepFlow {
  readonly waitFirst: boolean;
  readonly answers: readonly { readonly pattern: AnswerPattern; readonly go: StepThen }[];
  readonly otherwise: StepThen;
  readonly tries: number;
  readonly spent: StepThen;
}

export interface RunStep {
  readonly messageId: string;
  /** Number of the board that gets the message; 1 by default. */
  readonly board?: number;
  readonly bytes: Uint8Array;
  /** Name under which the log has the message; missing for a message that the log shows. */
  readonly hidden?: string;
  /** Answer among the bytes that are received from the sending on. Null: do not wait. Ignored with a flow. */
  readonly answer: AnswerPattern | null;
  /** Way to send the message's file after its answer. Null: it has none. */
  readonly fileBy: FileWay | null;
  /** Timeout for the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Pause after each sending, in milliseconds. Skipped after the last sending of the run. */
  readonly delayMs: number;
  /** Number of times that the message is sent in a row. */
  readonly repeat: number;
  readonly flow?: StepFlow;
  /** Replaces `bytes` by a message with captured text. */
  readonly template?: Template;
}

const hidingOf = ({ hidden }: RunStep): Pick<Exchange, 'hidden'> => (hidden === undefined ? {} : { hidden });

const boardOfStep = (step: RunStep | undefined) => step?.board ?? 1;

/** The port that a run sends to. A rejected call ends the run. */
export interface RunPort {
  /**
   * Sends, and waits for the first of some answers.
   *
   * @param board Number of the board; 1 by default. A panel has no other.
   */
  exchange(exchange: Exchange, signal: AbortSignal, board?: number): Promise<ExchangeOutcome>;
  /** Waits for `duration` milliseconds. Resolves early if the signal aborts. */
  pause(duration: number, signal: AbortSignal): Promise<void>;
}

export interface FilePort {
  /**
   * Sends the file that was chosen for the message. Returns true if the board has all of it. Resolves soon after the
   * signal aborts.
   */
  sendFile(messageId: string, by: FileWay, signal: AbortSignal): Promise<boolean>;
}

export type StepResult =
  | { readonly kind: 'sent' | 'file-sent' | 'file-failed' | 'no-answer' | 'closed' }
  /** @property after Milliseconds from the sending until the answer was complete. */
  | { readonly kind: 'answered'; readonly after: number };

export interface RunEvents {
  /**
   * @param step Index of the step, from 0.
   * @param attempt Number of the try, from 1.
   */
  readonly begun: (step: number, attempt: number) => void;
  readonly result: (step: number, result: StepResult) => void;
  /** Called after each exchange. `then` is null where no answer decides. */
  readonly exchanged?: (step: number, attempt: number, outcome: ExchangeOutcome, go: StepThen | null) => void;
}

export type RunEnd =
  /**
   * @property sent Messages sent in total.
   * @property answered Messages whose expected answer arrived.
   * @property files Files sent in total.
   */
  | { readonly kind: 'done'; readonly sent: number; readonly answered: number; readonly files: number }
  | { readonly kind: 'no-answer' | 'closed' | 'file-failed' | 'too-many-jumps' | 'too-long'; readonly step: number }
  /** @property attempts Number of tries, none of which went on. */
  | { readonly kind: 'spent'; readonly step: number; readonly attempts: number }
  /** @property answer Index of the answer that stopped the run; null without one. */
  | {
      readonly kind: 'stopped';
      readonly step: number;
      readonly passed: boolean;
      readonly say: string;
      readonly answer: number | null;
    }
  /** @property reference Captured text that the message needs, and no answer gave. */
  | { readonly kind: 'not-captured'; readonly step: number; readonly reference: string }
  | { readonly kind: 'cancelled' };

/** Most jumps and tries of a run together, so that no run goes on forever unnoticed. */
export const maxJumps = 100_000;

/**
 * Runs until all messages are sent, a step stops, an answer times out, a file is not sent, the connection ends, or
 * `signal` aborts.
 *
 * @param port Without `sendFile`, a step with a file fails.
 */
export function runSteps(
  steps: readonly RunStep[],
  port: RunPort & Partial<FilePort>,
  signal: AbortSignal,
  events: RunEvents,
): Promise<RunEnd> {
  return new Stepper(steps, port, signal, events).run();
}

type Ended = { readonly ended: RunEnd };
/** Way on after a sending: the next one, or the index of a step. */
type Onward = 'next' | number;

const cancelled: Ended = { ended: { kind: 'cancelled' } };

const isEnded = (value: unknown): value is Ended => typeof value === 'object' && value !== null && 'ended' in value;

class Stepper {
  readonly #steps: readonly RunStep[];
  readonly #port: RunPort & Partial<FilePort>;
  readonly #signal: AbortSignal;
  readonly #events: RunEvents;
  readonly #captures = new Captures();
  #sent = 0;
  #answered = 0;
  #files = 0;
  #jumps = 0;
  #pause = 0;

  constructor(steps: readonly RunStep[], port: RunPort & Partial<FilePort>, signal: AbortSignal, events: RunEvents) {
    this.#steps = steps;
    this.#port = port;
    this.#signal = signal;
    this.#events = events;
  }

  async run(): Promise<RunEnd> {
    for (let place = 0; place < this.#steps.length; ) {
      const onward = await this.#step(place);
      if (isEnded(onward)) {
        return onward.ended;
      }
      place = onward === 'next' ? place + 1 : onward;
    }
    return { kind: 'done', sent: this.#sent, answered: this.#answered, files: this.#files };
  }

  /** Runs all repetitions of a step. */
  async #step(place: number): Promise<Onward | Ended> {
    const step = this.#steps[place];
    for (let round = 0; step !== undefined && round < step.repeat; round++) {
      const onward =
        step.flow === undefined ? await this.#plainRound(place, step) : await this.#flowRound(place, step, step.flow);
      if (onward !== 'next') {
        return onward;
      }
    }
    return 'next';
  }

  async #plainRound(place: number, step: RunStep): Promise<Onward | Ended> {
    const message = await this.#begin(place, step, 1);
    if (isEnded(message)) {
      return message;
    }
    const outcome = await this.#port.exchange(
      {
        bytes: message,
        ...hidingOf(step),
        answers: step.answer === null ? [] : [step.answer],
        fresh: true,
        timeout: step.timeoutMs,
      },
      this.#signal,
      boardOfStep(step),
    );
    if (outcome.kind === 'cancelled') {
      return cancelled;
    }
    this.#report(place, 1, outcome, null);
    if (outcome.kind === 'no-answer' || outcome.kind === 'closed') {
      return { ended: { kind: outcome.kind, step: place } };
    }
    this.#sent++;
    this.#answered += outcome.kind === 'answered' ? 1 : 0;
    return this.#finish(place, step);
  }

  /** Sends a step with a flow as often as it takes until an answer goes on. */
  async #flowRound(place: number, step: RunStep, flow: StepFlow): Promise<Onward | Ended> {
    for (let attempt = 1; ; attempt++) {
      const onward = await this.#attempt(place, step, flow, attempt);
      if (onward === 'again') {
        continue;
      }
      return onward === 'next' ? this.#finish(place, step) : onward;
    }
  }

  async #attempt(place: number, step: RunStep, flow: StepFlow, attempt: number): Promise<Onward | 'again' | Ended> {
    const waits = flow.answers.length > 0;
    const message =
      flow.waitFirst && waits ? await this.#pauseFirst(place, attempt) : await this.#begin(place, step, attempt);
    if (isEnded(message)) {
      return message;
    }
    const go = await this.#exchange(place, flow, attempt, message, waits);
    if (isEnded(go)) {
      return go;
    }
    this.#pause = step.delayMs;
    if (go.kind !== 'next') {
      return this.#follow(place, flow, attempt, go);
    }
    if (message === null) {
      const filled = this.#messageOf(place, step);
      return isEnded(filled) ? filled : this.#sendAfterWait(place, attempt, filled);
    }
    return 'next';
  }

  /** Sends `message` and waits. Returns what follows. */
  async #exchange(
    place: number,
    flow: StepFlow,
    attempt: number,
    message: Uint8Array | null,
    waits: boolean,
  ): Promise<(StepThen & { readonly answer?: number }) | Ended> {
    const step = this.#steps[place];
    const answers = waits ? flow.answers.map(({ pattern }) => pattern) : [];
    const timeout = step?.timeoutMs ?? 0;
    const hidden = step === undefined ? {} : hidingOf(step);
    const outcome = await this.#port.exchange(
      { bytes: message, ...hidden, answers, fresh: false, timeout },
      this.#signal,
      boardOfStep(step),
    );
    if (outcome.kind === 'cancelled') {
      return cancelled;
    }
    if (outcome.kind === 'closed') {
      this.#report(place, attempt, outcome, null);
      return { ended: { kind: 'closed', step: place } };
    }
    this.#sent += message === null ? 0 : 1;
    if (outcome.kind !== 'answered') {
      const go = outcome.kind === 'sent' ? null : flow.otherwise;
      this.#report(place, attempt, outcome, go);
      return go ?? { kind: 'next' };
    }
    this.#captures.add(outcome);
    this.#answered++;
    const go = flow.answers[outcome.answer]?.go ?? { kind: 'next' };
    this.#report(place, attempt, outcome, go);
    return { ...go, answer: outcome.answer };
  }

  #report(place: number, attempt: number, outcome: ExchangeOutcome, go: StepThen | null): void {
    this.#events.exchanged?.(place, attempt, outcome, go);
    if (outcome.kind !== 'cancelled') {
      this.#events.result(
        place,
        outcome.kind === 'answered' ? { kind: 'answered', after: outcome.after } : { kind: outcome.kind },
      );
    }
  }

  async #sendAfterWait(place: number, attempt: number, bytes: Uint8Array): Promise<'next' | Ended> {
    const step = this.#steps[place];
    const hidden = step === undefined ? {} : hidingOf(step);
    const outcome = await this.#port.exchange(
      { bytes, ...hidden, answers: [], fresh: false, timeout: 0 },
      this.#signal,
      boardOfStep(step),
    );
    if (outcome.kind === 'cancelled') {
      return cancelled;
    }
    this.#sent++;
    this.#events.exchanged?.(place, attempt, outcome, null);
    return 'next';
  }

  #follow(
    place: number,
    flow: StepFlow,
    attempt: number,
    go: StepThen & { readonly answer?: number },
  ): Onward | 'again' | Ended {
    if (go.kind === 'stop') {
      const { passed, say, answer = null } = go;
      // Without a sentence of the author, the usual one says it all.
      const isUsual = answer === null && !passed && say === '';
      return {
        ended: isUsual ? { kind: 'no-answer', step: place } : { kind: 'stopped', step: place, passed, say, answer },
      };
    }
    if (go.kind === 'next') {
      return 'next';
    }
    if (++this.#jumps > maxJumps) {
      return { ended: { kind: 'too-many-jumps', step: place } };
    }
    if (go.kind === 'goto') {
      return go.step;
    }
    if (attempt < flow.tries) {
      return 'again';
    }
    const { spent } = flow;
    const isUsual = spent.kind === 'again' || (spent.kind === 'stop' && !spent.passed && spent.say === '');
    return isUsual
      ? { ended: { kind: 'spent', step: place, attempts: attempt } }
      : this.#follow(place, flow, attempt, spent);
  }

  /** Waits for the pause after the sending before. Null: the step waits before it sends. */
  async #pauseFirst(place: number, attempt: number): Promise<null | Ended> {
    if (this.#pause > 0) {
      await this.#port.pause(this.#pause, this.#signal);
    }
    if (this.#signal.aborted) {
      return cancelled;
    }
    this.#events.begun(place, attempt);
    return null;
  }

  async #begin(place: number, step: RunStep, attempt: number): Promise<Uint8Array | Ended> {
    return (await this.#pauseFirst(place, attempt)) ?? this.#messageOf(place, step);
  }

  /** Returns the bytes of the message, with captured text. */
  #messageOf(place: number, { bytes, template }: RunStep): Uint8Array | Ended {
    if (template === undefined) {
      return bytes;
    }
    const filled = this.#captures.fill(template);
    if (filled.ok) {
      return filled.bytes;
    }
    const { missing } = filled;
    return {
      ended:
        missing === null
          ? { kind: 'too-long', step: place }
          : { kind: 'not-captured', step: place, reference: missing },
    };
  }

  /** Sends the message's file, if it has one. */
  async #finish(place: number, step: RunStep): Promise<'next' | Ended> {
    this.#pause = step.delayMs;
    if (step.fileBy === null) {
      return 'next';
    }
    const isSent = (await this.#port.sendFile?.(step.messageId, step.fileBy, this.#signal)) ?? false;
    if (this.#signal.aborted) {
      return cancelled;
    }
    this.#events.result(place, { kind: isSent ? 'file-sent' : 'file-failed' });
    if (!isSent) {
      return { ended: { kind: 'file-failed', step: place } };
    }
    this.#files++;
    return 'next';
  }
}
