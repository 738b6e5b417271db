/** Work that waits for what was given before it: one after the other, in the order in which it was given. */

export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  /** Work that fails tells whoever gave it, and does not stop what follows. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
