/** Runs pieces of work one after the other, in the order in which they were given. */

export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work after all earlier work. A failure rejects only this promise, and does not stop later work. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
