/** Lets the page abort waits by number, because an `AbortSignal` cannot be sent between threads. */

export class WaitTickets {
  readonly #waits = new Map<number, AbortController>();

  /** Runs `wait`, which must observe its signal. `end` with the same ticket aborts it. */
  async hold<Result>(ticket: number, wait: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#waits.set(ticket, controller);
    try {
      return await wait(controller.signal);
    } finally {
      this.#waits.delete(ticket);
    }
  }

  /** Aborts a wait. Does nothing after its end. */
  end(ticket: number): void {
    this.#waits.get(ticket)?.abort();
  }
}
