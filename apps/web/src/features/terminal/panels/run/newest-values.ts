/**
 * Sends the newest of many values, one at a time and not too often. A value that waits is replaced by a newer one, so that
 * none stands in line behind a slow port. The last one is always sent.
 */
import type { Clock } from '@wirebench/clock';

export interface NewestValuesParts<Value> {
  readonly clock: Clock;
  /** Sends a value. Must not reject. Resolves to false if nothing can be sent now: the value that waits is dropped. */
  readonly send: (value: Value) => Promise<boolean>;
}

export class NewestValues<Value> {
  readonly #parts: NewestValuesParts<Value>;
  #waiting: { readonly value: Value; readonly interval: number } | null = null;
  #isSending = false;
  /** Time at which the last sending began. */
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(parts: NewestValuesParts<Value>) {
    this.#parts = parts;
  }

  /**
   * Sends a value at once, or after the one that is being sent and the interval.
   *
   * @param interval Least time from the beginning of the last sending, in milliseconds.
   */
  put(value: Value, interval: number): void {
    this.#waiting = { value, interval };
    if (!this.#isSending) {
      this.#isSending = true;
      void this.#sendAll().finally(() => {
        this.#isSending = false;
      });
    }
  }

  async #sendAll(): Promise<void> {
    const { clock, send } = this.#parts;
    while (this.#waiting !== null) {
      const rest = this.#sentAt + this.#waiting.interval - clock.now();
      if (rest > 0) {
        await clock.sleep(rest);
      }
      const { value } = this.#waiting;
      this.#waiting = null;
      this.#sentAt = clock.now();
      if (!(await send(value))) {
        this.#waiting = null;
      }
    }
  }
}
