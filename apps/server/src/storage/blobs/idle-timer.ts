/** Ends work that makes no progress for a while, however long it takes as a whole. */

export class IdleTimer {
  readonly #timeout: number;
  readonly #controller = new AbortController();
  readonly #aborted = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeout milliseconds between two signs of progress. */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#aborted.promise.catch(() => undefined);
    this.signal.addEventListener('abort', () => this.#aborted.reject(this.signal.reason));
  }

  /** Aborts when there was no progress. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * What `work` comes to, unless there is no progress before. Needed beside the signal: a request follows a signal by weak references, and
   * may go on for ever once the garbage collector has been there.
   */
  guard<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([work, this.#aborted.promise]);
  }

  /** Begins to wait, or begins again because there was progress. */
  wait(): void {
    clearTimeout(this.#timer);
    const ms = this.#timeout;
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`No progress within ${ms} ms`)), ms);
  }

  /** Until the next `wait`, the time is not the other side's. */
  pause(): void {
    clearTimeout(this.#timer);
  }
}
