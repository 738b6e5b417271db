/** Ends work that makes no progress for a while, however long it takes as a whole. */

export class IdleTimer {
  readonly #patience: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param patience milliseconds between two signs of progress. */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Aborts when there was no progress. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins to wait, or begins anew because there was progress. */
  wait(): void {
    clearTimeout(this.#timer);
    const ms = this.#patience;
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`No progress within ${ms} ms`)), ms);
  }

  /** Until the next `wait`, the time is not the other side's. */
  pause(): void {
    clearTimeout(this.#timer);
  }
}
