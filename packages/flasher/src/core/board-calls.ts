/** Serialises the calls of a connected board: one at a time, and none after the board has left its bootloader. */

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
