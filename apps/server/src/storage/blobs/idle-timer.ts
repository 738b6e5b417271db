/** Aborts work that makes no progress for a while, whatever its total time. */

export class IdleTimer {
  readonly #timeout: number;
  readonly #controller = new AbortController();
  readonly #aborted = Promise.withResolvers<never>();
  #timer: NodeJS.Timeout | undefined;

  /** @param timeout Milliseconds between two signs of progress. */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#aborted.promise.catch(() => undefined);
    this.signal.addEventListener('abort', () => this.#aborted.reject(this.signal.reason));
  }

  /** Aborts after the timeout without progress. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Returns the result of `work`, or rejects after the timeout without progress. The signal alone is not enough: a
   * request holds it by a weak reference and may continue forever after a garbage collection.
   */
  guard<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([work, this.#aborted.promise]);
  }

  /** Starts or restarts the timeout. Call it for every progress. */
  wait(): void {
    clearTimeout(this.#timer);
    const ms = this.#timeout;
    this.#timer = setTimeout(() => this.#controller.abort(new Error(`No progress within ${ms} ms`)), ms);
  }

  /** Stops the timeout until the next `wait`, while this side takes its time. */
  pause(): void {
    clearTimeout(this.#timer);
  }
}
