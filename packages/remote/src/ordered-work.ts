/** Work that waits, one after the other in the order in which it was given. */

export class OrderedWork {
  #tail: Promise<void> = Promise.resolve();
  #pending = 0;

  /** What was added and has not ended. */
  get pending(): number {
    return this.#pending;
  }

  /** Work that rejects is a fault of whoever gave it, and does not stop what follows. */
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
