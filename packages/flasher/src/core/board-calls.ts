/** The calls of a connected board: one at a time, none once it has left its bootloader. Knows no board. */

export class BoardCalls {
  readonly #failureOf: (error: unknown, signal: AbortSignal) => unknown;
  #busy = false;
  #ended: string | null = null;
  /** An erase was begun, and no write has come to its end since: whatever fails now leaves a board that may be erased. */
  erased = false;

  /** @param failureOf what a call rejects with instead of what its work threw; may be a promise, which is waited for. */
  constructor(failureOf: (error: unknown, signal: AbortSignal) => unknown) {
    this.#failureOf = failureOf;
  }

  /** Accepts no further calls. @param why a sentence for calls that come anyway. */
  end(why: string): void {
    this.#ended = why;
  }

  /** Does `work` alone. Rejects with an InvalidStateError while another call runs, and after the end. */
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
