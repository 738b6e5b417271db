/** Runs asynchronous work in the order of its addition, one item at a time. */

export class OrderedWork {
  #tail: Promise<void> = Promise.resolve();
  #pending = 0;

  /** Number of items that have not ended. */
  get pending(): number {
    return this.#pending;
  }

  /** Adds work. Work that rejects is a mistake of the caller; the next item still runs. */
  add(work: () => Promise<void>): void {
    this.#pending++;
    const run = async () => {
      try {
        await work();
      } finally {
        this.#pending--;
      }
    };
    this.#tail = this.#tail.then(run, run);
  }
}
