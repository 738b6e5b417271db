/** Lets the page end a wait that it began: an `AbortSignal` cannot be sent between threads, its number can. */

export class WaitTickets {
  readonly #waits = new Map<number, AbortController>();

  /** Runs `wait`, which must heed its signal; `end` with the same ticket aborts it. */
  async hold<Result>(ticket: number, wait: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    this.#waits.set(ticket, controller);
    try {
      return await wait(controller.signal);
    } finally {
      this.#waits.delete(ticket);
    }
  }

  /** Does nothing when the wait is over. */
  end(ticket: number): void {
    this.#waits.get(ticket)?.abort();
  }
}
