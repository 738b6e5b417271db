/** Tracks the answers that callers wait for: on which port, and until when. Matching is in `answer-wait.ts`. */
import type { Clock } from '@wirebench/clock';
import { AnswerWait } from './answer-wait.ts';
import type { PortNumber } from './port-number.ts';
import { type Prompt, PromptWait } from './prompt-wait.ts';

export type AnswerOutcome =
  /** @property after Milliseconds from the question until the answer was complete. */
  | { readonly kind: 'answered'; readonly after: number }
  | { readonly kind: 'no-answer' }
  /** The connection ended before the answer. */
  | { readonly kind: 'closed' }
  /** The caller has aborted the wait. */
  | { readonly kind: 'cancelled' };

/** At least one byte, compared exactly, or the prompt of the board. */
export type AwaitedAnswer = Uint8Array | Prompt;

export interface Expectation {
  readonly answer: AwaitedAnswer;
  /** Longest wait in milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly port: PortNumber;
  readonly wait: AnswerWait | PromptWait;
  readonly since: number;
  end(outcome: AnswerOutcome): void;
}

export class AnswerWatch {
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits for an answer in all bytes passed to `received` from now on. The promise never rejects.
   *
   * @throws RangeError for an empty answer.
   */
  expect(port: PortNumber, { answer, timeout, signal }: Expectation): Promise<AnswerOutcome> {
    const wait = 'prompt' in answer ? new PromptWait(answer) : new AnswerWait(answer);
    if (signal?.aborted) {
      return Promise.resolve({ kind: 'cancelled' });
    }
    return new Promise((resolve) => {
      const end = (outcome: AnswerOutcome) => {
        this.#waiting.delete(waiting);
        cancelTimer();
        signal?.removeEventListener('abort', cancel);
        resolve(outcome);
      };
      const waiting: Waiting = { port, wait, since: this.#clock.now(), end };
      const cancel = () => end({ kind: 'cancelled' });
      const cancelTimer = this.#clock.schedule(timeout, () => end({ kind: 'no-answer' }));
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.add(waiting);
    });
  }

  /**
   * Runs `send` and waits for the answer from its start on. `send` does not run if `signal` is already aborted.
   * Rejects as `send` does, and with a RangeError for an empty answer.
   */
  async ask(
    port: PortNumber,
    send: () => Promise<void>,
    { answer, timeout, signal }: Expectation,
  ): Promise<AnswerOutcome> {
    const notSent = new AbortController();
    const signals = [notSent.signal, ...(signal === undefined ? [] : [signal])];
    const outcome = this.expect(port, { answer, timeout, signal: AbortSignal.any(signals) });
    if (signal?.aborted) {
      return outcome;
    }
    try {
      // A port that takes no bytes must not delay the result beyond the timeout.
      await Promise.race([send(), outcome]);
    } catch (error) {
      notSent.abort();
      throw error;
    }
    return outcome;
  }

  received(port: PortNumber, bytes: Uint8Array, at: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.port === port && waiting.wait.take(bytes) !== -1) {
        waiting.end({ kind: 'answered', after: at - waiting.since });
      }
    }
  }

  /** Ends all waits on a port whose connection has ended. */
  ended(port: PortNumber): void {
    for (const waiting of this.#waiting) {
      if (waiting.port === port) {
        waiting.end({ kind: 'closed' });
      }
    }
  }
}
