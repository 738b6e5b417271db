/** How many of a process's connections the guests of each account's benches have. Knows no connections. */

/** Part of the free places that the benches of one account may have together: three accounts leave more than half to the others. */
const SHARE = 0.25;

/** Guests that an account may have however few places are free. */
const LEAST = 4;

export class OwnerShares {
  readonly #capacity: number;
  readonly #counts = new Map<string, number>();

  /** @param capacity Connections of the process. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /**
   * Takes a place for a guest of `owner`'s benches.
   *
   * @param connections All connections of the process, this one included.
   * @returns What gives the place back; null when the account has its share already.
   */
  take(owner: string, connections: number): (() => void) | null {
    const taken = this.#counts.get(owner) ?? 0;
    if (taken >= Math.max(LEAST, (this.#capacity - connections) * SHARE)) {
      return null;
    }
    this.#counts.set(owner, taken + 1);
    return () => {
      const left = (this.#counts.get(owner) ?? 1) - 1;
      if (left === 0) {
        this.#counts.delete(owner);
      } else {
        this.#counts.set(owner, left);
      }
    };
  }
}
