/** Serialises the calls of a connected board: one at a time, and none after the board has left its bootloader. */
import { PortError } from '../port-failure.ts';
import { type AsFailure, FlashError, leftAfter } from './flash-failure.ts';

export class BoardCalls {
  readonly #failureOf: (error: unknown, signal: AbortSignal) => unknown;
  #busy = false;
  #ended: string | null = null;
  /** True: an erase has begun and no write has finished since. A failure now may leave the board erased. */
  erased = false;

  /** @param failureOf Converts an error of the work to the error that the call rejects with. May return a promise. */
  constructor(failureOf: (error: unknown, signal: AbortSignal) => unknown) {
    this.#failureOf = failureOf;
  }

  /**
   * Refuses all further calls.
   *
   * @param why Message of their error.
   */
  end(why: string): void {
    this.#ended = why;
  }

  /**
   * Runs `work` alone.
   *
   * @throws InvalidStateError while another call runs, and after `end`.
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#busy || this.#ended !== null) {
      throw new DOMException(this.#busy ? 'The board is busy.' : (this.#ended ?? ''), 'InvalidStateError');
    }
    this.#busy = true;
    try {
      signal.throwIfAborted();
      return await work();
    } catch (error) {
      throw await this.#failureOf(error, signal);
    } finally {
      this.#busy = false;
    }
  }
}

/**
 * Returns the calls of a board whose bootloader writes to addresses. They reject with the family's failure, with the board's
 * state. Mistakes of the caller are passed on: a RangeError, and a call at the wrong time.
 *
 * @param over Aborts when the board is gone.
 */
export function memoryCalls(over: AbortSignal, asFailure: AsFailure<FlashError>): BoardCalls {
  const calls = new BoardCalls((error, signal) => {
    if (error instanceof RangeError || (error instanceof DOMException && error.name === 'InvalidStateError')) {
      return error;
    }
    // If the board is gone, that is the failure, even if the error came from interrupted work.
    const isGone = over.aborted && over.reason instanceof PortError && !signal.aborted;
    const failure = asFailure(isGone && !(error instanceof FlashError) ? over.reason : error, signal);
    return asFailure(failure, signal, leftAfter(calls.erased, failure));
  });
  return calls;
}
